"""Lines of many rungs over an axis: how each is drawn, and how they are named where a legend of all would fill the page."""

from .drawing import DASHES, MARKS, colour_of, legend_below, over_elements


def over_sizes(axes, sizes):
    """The x axis from the least to the largest of these, with no more names than have room."""
    over_elements(axes)
    low, high = int(min(sizes)).bit_length() - 1, int(max(sizes)).bit_length() - 1
    axes.set_xticks([1 << power for power in range(low, high + 1, -(-(high - low) // 7) or 1)])


def style_of_line(row, place=0):
    """How a rung's line is drawn: its family's colour, and dashes and a mark by its number, or by `place` where it has none."""
    number = int(row["rung"][1:]) if row["rung"][1:].isdigit() else place
    return {"color": colour_of(row["family"]), "linestyle": DASHES[number % len(DASHES)], "linewidth": 1.1,
            "marker": MARKS[number % len(MARKS)], "markersize": 3}


def name_rungs(figure, axes, rows, across, value):
    """The names of the rungs' lines at their ends, and a legend of the families that are drawn and of the lines that have a
    name of their own; to be called when the axes have their limits."""
    ends = rows.sort_values(across, kind="stable").drop_duplicates("rung", keep="last").sort_values("rung")
    label_ends(axes, [(end[across], end[value], end["rung"].replace("library_", ""), colour_of(end["family"]))
                      for end in ends.to_dict("records")])
    for family in rows.sort_values("rung")["family"].fillna("library").unique():
        axes.plot([], [], color=colour_of(None if family == "library" else family), linewidth=2, label=family)
    legend_below(figure, axes)


def label_ends(axes, ends):
    """Names right of the axes, none on another, each with a thin line to where its own line ends. Rungs of one colour whose
    lines end on each other stand together. `ends`: (x, y, name, colour); to be called when the axes have their limits."""
    step = 8.6 * axes.figure.dpi / 72 / axes.bbox.height
    places = []  # [height in the axes, names, colour, end]
    for x, y, name, colour in sorted(ends, key=lambda end: end[1]):
        at = axes.transAxes.inverted().transform(axes.transData.transform((x, y)))[1]
        same = next((one for one in places if one[2] == colour and name[1:].isdigit() and one[1][0][1:].isdigit()
                     and abs(one[0] - at) < step / 2 and one[3][0] == x), None)
        if same:
            same[1].append(name)
        else:
            places.append([at, [name], colour, (x, y)])
    heights = [one[0] for one in places]
    for _ in range(200):  # apart by halves, until none touches another
        for low in range(len(heights) - 1):
            lack = step - (heights[low + 1] - heights[low])
            if lack > 1e-4:
                heights[low], heights[low + 1] = heights[low] - lack / 2, heights[low + 1] + lack / 2
    for height, (_, names, colour, end) in zip(heights, places, strict=True):
        line = {"arrowstyle": "-", "color": colour, "linewidth": 0.8, "shrinkA": 1, "shrinkB": 2, "relpos": (0, 0.5)}
        axes.annotate(in_short(names), end, xytext=(1.05, height), textcoords="axes fraction", fontsize=7.5, va="center",
                      annotation_clip=False, arrowprops=line)
    longest = max((len(in_short(names)) for _, names, _, _ in places), default=0)
    axes.figure.subplots_adjust(right=0.9 - 0.012 * longest)  # so that the drawing keeps its width


def places_beside(pairs, apart):
    """{(rung, backend): its place on the y axis}: rungs below each other, and the backends of each `apart` beside each other."""
    on = {}
    for rung, backend in dict.fromkeys(pairs):
        on.setdefault(rung, []).append(backend)
    return {(rung, backend): place + (at - (len(backends) - 1) / 2) * apart
            for place, (rung, backends) in enumerate(on.items()) for at, backend in enumerate(backends)}


def in_short(names):
    """"r11-r15" for those that follow each other."""
    runs = []
    for name in sorted(names):
        if runs and name[1:].isdigit() and runs[-1][-1][1:].isdigit() and int(name[1:]) == int(runs[-1][-1][1:]) + 1:
            runs[-1].append(name)
        else:
            runs.append([name])
    return " ".join(f"{run[0]}-{run[-1]}" if len(run) > 2 else " ".join(run) for run in runs)
