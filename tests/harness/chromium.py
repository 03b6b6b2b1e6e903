"""Chromium without a window, spoken to through a pipe: pages opened, looked at, pictured. Needs nothing but Chromium.

    with chromium.Browser() as browser:
        page = browser.open(url, width=390, dark=True)
        page.run("document.title"), page.seen, page.picture()
"""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

PROGRAM = os.environ.get("AH_CHROMIUM") or shutil.which("chromium")
SECONDS = 120  # of silence: a busy machine is slow
WORDS = ["--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
         "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run",
         "--hide-scrollbars", "--allow-file-access-from-files", "--force-color-profile=srgb"]


class Browser:
    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="ah_chromium_")
        ours_in, theirs_out = os.pipe()
        theirs_in, ours_out = os.pipe()

        def put():  # it reads from 3 and writes to 4; through high numbers, lest one covers the other
            high = [os.dup(theirs_in), os.dup(theirs_out)]
            while min(high) < 5:
                high = [os.dup(h) for h in high]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self.process = subprocess.Popen([PROGRAM, *WORDS, f"--user-data-dir={self.folder}"], preexec_fn=put, close_fds=False,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        os.close(theirs_in)
        os.close(theirs_out)
        self.to, self.of, self.rest, self.number, self.pages = ours_out, ours_in, b"", 0, {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        os.close(self.to)
        os.close(self.of)
        shutil.rmtree(self.folder, ignore_errors=True)

    def ask(self, method, session=None, **values):
        """The answer to one command; what happens meanwhile goes to its page."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": values, **({"sessionId": session} if session else {})}
        left = json.dumps(message).encode() + b"\0"
        while left:
            left = left[os.write(self.to, left):]
        number = self.number
        while True:
            found = self.next()
            if found.get("id") == number:
                if "error" in found:
                    raise RuntimeError(f"{method}: {found['error']['message']}")
                return found["result"]

    def next(self):
        while b"\0" not in self.rest:
            if not select.select([self.of], [], [], SECONDS)[0]:
                raise TimeoutError("Chromium says nothing")
            more = os.read(self.of, 1 << 20)
            if not more:
                raise RuntimeError("Chromium has ended")
            self.rest += more
        line, self.rest = self.rest.split(b"\0", 1)
        found = json.loads(line)
        page = self.pages.get(found.get("sessionId"))
        if page and "method" in found:
            page.note(found["method"], found["params"])
        return found

    def open(self, url, width=1200, height=900, dark=False, still=True):
        context = self.ask("Target.createBrowserContext")["browserContextId"]
        target = self.ask("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
        session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = self.pages[session] = Page(self, session, context)
        for domain in ("Page", "Runtime", "Network", "Log"):
            page.ask(f"{domain}.enable")
        page.resize(width, height)
        page.ask("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if still else "no-preference"}])
        page.go(url)
        return page


class Page:
    """`seen`: what a page should not do: complain at the console, ask for anything that is not in `within`, fail to load."""

    def __init__(self, browser, session, context):
        self.browser, self.session, self.context = browser, session, context
        self.seen, self.asked, self.loaded = [], [], False

    def ask(self, method, **values):
        return self.browser.ask(method, self.session, **values)

    def note(self, method, values):
        if method == "Page.loadEventFired":
            self.loaded = True
        elif method == "Network.requestWillBeSent":
            self.asked.append(values["request"]["url"])
        elif method == "Network.loadingFailed" and not values.get("canceled"):
            self.seen.append(f"not loaded: {values['errorText']}")
        elif method == "Runtime.exceptionThrown":
            what = values["exceptionDetails"]
            self.seen.append(what.get("exception", {}).get("description", what["text"]))
        elif method == "Runtime.consoleAPICalled" and values["type"] in ("error", "warning", "assert"):
            self.seen.append(" ".join(str(a.get("value", a.get("description"))) for a in values["args"]))
        elif method == "Log.entryAdded" and values["entry"]["level"] in ("error", "warning"):
            self.seen.append(values["entry"]["text"])

    def go(self, url):
        self.loaded = False
        self.ask("Page.navigate", url=url)
        end = time.monotonic() + SECONDS
        while not self.loaded:
            self.browser.next()
            if time.monotonic() > end:
                raise TimeoutError(f"{url} does not load")

    def resize(self, width, height=900):
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)

    def run(self, script):
        """The value of an expression; promises are waited for."""
        made = self.ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in made:
            raise RuntimeError(made["exceptionDetails"].get("exception", {}).get("description", script))
        return made["result"].get("value")

    def picture(self, selector=None, whole=False):
        """PNG: the window, all of the page, or the box of an element."""
        more = {"captureBeyondViewport": True} if whole or selector else {}
        if selector:
            more["clip"] = {**self.run(f"(({{x, y, width, height}}) => ({{x: x + scrollX, y: y + scrollY, width, height}}))"
                                       f"(document.querySelector({json.dumps(selector)}).getBoundingClientRect())"), "scale": 1}
        elif whole:
            size = self.ask("Page.getLayoutMetrics")["cssContentSize"]
            more["clip"] = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
        return base64.b64decode(self.ask("Page.captureScreenshot", format="png", **more)["data"])

    def close(self):
        del self.browser.pages[self.session]
        self.browser.ask("Target.disposeBrowserContext", browserContextId=self.context)
