"use strict";
// What all scripts share: the data, elements made without markup, and where a number comes from.
const data = unpacked;

const kept = children => children.flat(2).filter(child => child !== null && child !== undefined && child !== "");
const el = (name, attributes = {}, ...children) => {
  const element = document.createElement(name);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (name.startsWith("aria-")) element.setAttribute(name, String(value));
    else if (value !== undefined && value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...kept(children));
  return element;
};
const refill = (element, ...children) => element.replaceChildren(...kept(children));
const coded = text => text.split("`").map((part, place) => place % 2 ? el("code", {}, part) : part); // between backticks is code
const byId = id => document.getElementById(id);
const plain = text => text.normalize("NFKC").replaceAll("^", "").toLowerCase(); // 2^28 finds 2²⁸

// A cell is [text, value, source lines, state]; text alone stands for a cell without the others.
const whole = cell => typeof cell === "string" ? [cell, null, null, ""] : cell;
for (const table of data.tables) table.rows = table.rows.map(row => row.map(whole));

// A backend has one colour everywhere.
const styleOf = backend => data.styles[backend] || "#8a8a8a";
const modelOf = backend => backend.split("/")[0];

// Where a number comes from: its records files by number, and the lines in them.
const status = byId("from");
const placesOf = from => from.split(" ").flatMap(place => { // "2:1201,3" are the lines 1201 and 1204 of the second file
  const [file, lines] = place.split(":");
  let at = 0;
  return lines.split(",").map(step => [data.files[file - 1], at += Number(step)]);
});
const tell = (says, from) => {
  const places = placesOf(from), shown = places.slice(0, 6).map(([file, line]) => `${file} line ${line}`);
  const more = places.length > 6 ? ` and ${places.length - 6} more` : "";
  status.textContent = `${says} comes from ${shown.join(", ")}${more}`;
};
const tellOf = element => tell(element.dataset.says || element.textContent, element.dataset.from);
document.addEventListener("focusin", ({target}) => { if (target.matches("[data-from]")) tellOf(target); });
document.addEventListener("click", ({target}) => {
  const traced = target.closest("[data-from]");
  if (traced) tellOf(traced); else if (!target.closest("#from, .chart, figure")) status.textContent = "";
});

// Arrow keys go from number to number: one of a group is reached by Tab, the others from there.
const reach = group => [...group.querySelectorAll("[data-from]")].forEach((one, place) => { one.tabIndex = place ? -1 : 0; });
const STEPS = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]};
document.addEventListener("keydown", event => {
  const here = event.target.closest?.("[data-from]"), group = here?.closest(".numbers"), step = STEPS[event.key];
  if (!group || !step) return;
  const all = [...group.querySelectorAll("[data-from]")], [down, right] = step, {left} = here.getBoundingClientRect();
  const below = one => Math.abs(one.getBoundingClientRect().left - left) < 4; // in the same column
  const ahead = down + right > 0 ? all.slice(all.indexOf(here) + 1) : all.slice(0, all.indexOf(here)).reverse();
  const next = (down && ahead.find(below)) || ahead[0];
  if (!next) return;
  here.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
  event.preventDefault();
});

const decoded = text => { // of an address
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
const linkTo = id => el("a", {class: "link", href: `#${id}`, title: "The address of this"}, " #");
