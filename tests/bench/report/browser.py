"""Controls a headless Chromium by its DevTools protocol over two pipes, without a driver or a package.

`CHROMIUM` names the program; default: chromium, chromium-browser or google-chrome in PATH."""

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time


def program():
    """Path of Chromium; None if it is not installed."""
    found = filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome")))
    return os.environ.get("CHROMIUM") or next(found, None)


class Browser:
    """One page. `told` has its console messages and uncaught exceptions."""

    def __init__(self, width=1440, height=900):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        theirs, self.out = os.pipe()
        self.into, answers = os.pipe()
        # Chromium uses the descriptors 3 and 4 as its debugging pipes.
        command = ["bash", "-c", f'exec "$0" "$@" 3<&{theirs} 4>&{answers}', program(), "--headless=new", "--no-sandbox",
                   "--disable-gpu", "--no-first-run", "--hide-scrollbars", "--remote-debugging-pipe",
                   f"--user-data-dir={self.folder.name}", f"--window-size={width},{height}", "about:blank"]
        self.process = subprocess.Popen(command, pass_fds=(theirs, answers), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        env={**os.environ, "HOME": self.folder.name})
        os.close(theirs)
        os.close(answers)
        self.number, self.rest, self.told, self.session, self.events = 0, b"", [], None, []
        page = next(one for one in self.call("Target.getTargets")["targetInfos"] if one["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")
        self.size(width, height)

    def size(self, width, height, scale=1):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=False)

    def message(self):
        while b"\0" not in self.rest:
            some = os.read(self.into, 1 << 20)
            if not some:
                raise EOFError("Chromium ended")
            self.rest += some
        text, _, self.rest = self.rest.partition(b"\0")
        found = json.loads(text)
        if found.get("method") in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"):
            self.told.append(json.dumps(found["params"])[:600])
        self.events.append(found.get("method"))
        return found

    def call(self, method, **words):
        self.number += 1
        text = {"id": self.number, "method": method, "params": words} | ({"sessionId": self.session} if self.session else {})
        os.write(self.out, json.dumps(text).encode() + b"\0")
        while (found := self.message()).get("id") != self.number:
            pass
        if "error" in found:
            raise RuntimeError(f"{method}: {found['error']}")
        return found["result"]

    def open(self, url):
        """Opens an address, and waits until the page is loaded, the report's data are unpacked, and the layout is done."""
        self.events.clear()
        self.call("Page.navigate", url=url)
        until = time.monotonic() + 60
        while "Page.loadEventFired" not in self.events and time.monotonic() < until:
            self.message()
        self.run("typeof ready === 'undefined' ? null : ready")
        self.run("Promise.race([new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))), "
                 "new Promise(done => setTimeout(done, 500))])")

    def run(self, script):
        """Value of an expression; awaits a promise."""
        found = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True, userGesture=True)
        if "exceptionDetails" in found:
            raise RuntimeError(json.dumps(found["exceptionDetails"])[:2000])
        return found["result"].get("value")

    def press(self, key, code=0):
        """Presses and releases a key."""
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code,
                      **({"text": "\r"} if key == "Enter" and kind == "keyDown" else {}))

    def printed(self):
        """The page on A4, as PDF."""
        return base64.b64decode(self.call("Page.printToPDF", preferCSSPageSize=True, printBackground=True, paperWidth=8.27,
                                          paperHeight=11.69)["data"])

    def close(self):
        try:
            self.call("Browser.close")
        except (EOFError, OSError, RuntimeError):
            pass
        self.process.wait(20)
        os.close(self.out)
        os.close(self.into)
        self.folder.cleanup()
