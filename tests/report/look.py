"""Looks at the report in Chromium: no sideways scrolling, contrast, every goal in print, and pictures to look at.

    python3 look.py PLAN [--out FOLDER] [--page PAGE] [--picture FILE]

PLAN is the program; the report of sample.py is made with it, unless PAGE is one. FOLDER gets a picture for each width, light and dark, and
the print; FILE the top of the page, for the documentation. Chromium is found on PATH, or named by CHROMIUM. Exit 1 with a line per fault.
"""

import argparse
import base64
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

WIDTHS = (390, 768, 1280)
SCHEMES = ("light", "dark")
CONTRAST = 4.5

# Every piece of text that is seen, against the nearest background that is not transparent; in a picture, against the box of its group.
MEASURE = r"""
(() => {
  const read = (text) => { const n = text.match(/[\d.]+/g).map(Number); return { rgb: n.slice(0, 3), a: n.length > 3 ? n[3] : 1 }; };
  const light = (rgb) => { const [r, g, b] = rgb.map((v) => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
  const ground = (element) => {
    const box = element.closest('svg a')?.querySelector('rect');
    if (box) return read(getComputedStyle(box).fill).rgb;
    for (let e = element; e; e = e.parentElement) { const c = read(getComputedStyle(e).backgroundColor); if (c.a > 0) return c.rgb; }
    return [255, 255, 255];
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let least = 99, worst = '', count = 0;
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement, text = texts.currentNode.data.trim();
    if (!text || element.closest('title,.said') || !element.checkVisibility()) continue;
    const style = getComputedStyle(element);
    const found = ratio(read(element.closest('svg') ? style.fill : style.color).rgb, ground(element));
    count += 1;
    if (found < least) { least = found; worst = text.slice(0, 60); }
  }
  const wide = [...document.querySelectorAll('body *')].filter((e) => !e.closest('.scroll,.said,.prose table') && e.getBoundingClientRect().right > innerWidth + 0.5)
    .map((e) => e.tagName + '.' + e.className + ' ' + e.textContent.slice(0, 40));
  return { scroll: document.documentElement.scrollWidth, width: innerWidth, least, worst, count, wide,
    scripts: document.scripts.length, outside: performance.getEntriesByType('resource').map((e) => e.name),
    goals: document.querySelectorAll('.goal').length, subjects: [...document.querySelectorAll('.goal h3')].map((e) => e.innerText) };
})()
"""


class Chromium:
    """A headless browser that is spoken to through a pipe."""

    def __init__(self, folder):
        names = [os.environ.get("CHROMIUM"), "chromium", "chromium-browser", "google-chrome"]
        program = next((found for name in names if name and (found := shutil.which(name))), None)
        if not program:
            sys.exit("no Chromium on PATH; name one: CHROMIUM=/path/to/chromium")
        to_child, self.out = os.pipe()
        self.into, from_child = os.pipe()

        def ends():
            # The child reads at 3 and writes at 4; first out of each other's way.
            reading, writing = os.dup(to_child), os.dup(from_child)
            os.dup2(reading, 3)
            os.dup2(writing, 4)

        options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe", "--no-first-run"]
        self.process = subprocess.Popen(
            [program, *options, f"--user-data-dir={folder}"], preexec_fn=ends, close_fds=False,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        os.close(to_child)
        os.close(from_child)
        self.count, self.rest = 0, b""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    def read(self):
        while b"\0" not in self.rest:
            more = os.read(self.into, 1 << 20)
            if not more:
                sys.exit("Chromium ended")
            self.rest += more
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if hasattr(self, "session"):
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == self.count:
                if "error" in answer:
                    sys.exit(f"{method}: {answer['error']}")
                return answer["result"]

    def evaluate(self, script):
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            sys.exit(str(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def end(self):
        self.session = None
        del self.session
        os.write(self.out, json.dumps({"id": 0, "method": "Browser.close", "params": {}}).encode() + b"\0")
        self.process.wait(20)


def looked(browser, page, out, top):
    """The faults of a page."""
    faults = []
    browser.call("Page.enable")
    browser.call("Page.navigate", url=page.as_uri())
    browser.evaluate("new Promise((done) => document.readyState === 'complete' ? done(1) : addEventListener('load', () => done(1)))")
    for scheme in SCHEMES:
        for media in ("screen", "print"):
            browser.call("Emulation.setEmulatedMedia", media=media, features=[{"name": "prefers-color-scheme", "value": scheme}])
            for width in WIDTHS if media == "screen" else WIDTHS[1:2]:
                browser.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
                is_open = browser.evaluate("document.querySelectorAll('details:not([open])').length")
                browser.evaluate("document.querySelectorAll('details').forEach((e) => { e.dataset.was = e.open; e.open = true })")
                found = browser.evaluate(MEASURE)
                browser.evaluate("document.querySelectorAll('details').forEach((e) => { e.open = e.dataset.was === 'true' })")
                name = f"{media} {scheme} {width}"
                print(f"{name}: {found['count']} texts, contrast {found['least']:.2f} at least ({found['worst']}), scrollWidth {found['scroll']}, {is_open} folded")
                if found["scroll"] != found["width"] or (media == "screen" and found["wide"]):
                    faults.append(f"{name}: wider than the window: {found['wide'][:3]}")
                if found["least"] < CONTRAST:
                    faults.append(f"{name}: contrast {found['least']:.2f}: {found['worst']}")
                if found["scripts"] or found["outside"]:
                    faults.append(f"{name}: {found['scripts']} scripts, loaded {found['outside']}")
                if out and media == "screen":
                    picture(browser, out / f"{width}-{scheme}.png")
    if top:
        browser.call("Emulation.setEmulatedMedia", media="screen", features=[{"name": "prefers-color-scheme", "value": "light"}])
        browser.call("Emulation.setDeviceMetricsOverride", width=1280, height=900, deviceScaleFactor=1, mobile=False)
        picture(browser, top, 1280)
    faults += printed(browser, found["subjects"], out)
    return faults


def picture(browser, file, most=16000):
    size = browser.call("Page.getLayoutMetrics")["cssContentSize"]
    clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], most), "scale": 1}
    shot = browser.call("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)
    file.write_bytes(base64.b64decode(shot["data"]))


def printed(browser, subjects, out):
    """Each goal has to be in the print, with what it unfolds to."""
    browser.call("Emulation.clearDeviceMetricsOverride")
    browser.call("Emulation.setEmulatedMedia", media="", features=[])
    pdf = base64.b64decode(browser.call("Page.printToPDF", paperWidth=8.27, paperHeight=11.69, preferCSSPageSize=True)["data"])
    if out:
        (out / "print.pdf").write_bytes(pdf)
    if not shutil.which("pdftotext"):
        print("pdftotext is not on PATH: the print was not read")
        return []
    text = subprocess.run(["pdftotext", "-", "-"], input=pdf, capture_output=True, check=True).stdout.decode()
    squeezed = "".join(text.split())
    # Letters of right-to-left scripts come out of a PDF in another order.
    words = [[word for word in subject.split() if word.isascii()] for subject in subjects]
    missing = [" ".join(subject) for subject in words if not all(word in squeezed for word in subject)]
    bodies = browser.evaluate("[...document.querySelectorAll('details .body')].map((e) => e.querySelector('h4,p')?.textContent ?? '')")
    missing += [body for body in bodies if not all(word in squeezed for word in body.split() if word.isascii())]
    print(f"print: {len(subjects)} goals, {len(missing)} missing")
    return [f"print: missing: {name}" for name in missing]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("plan", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--page", type=pathlib.Path)
    parser.add_argument("--picture", type=pathlib.Path)
    options = parser.parse_args()
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        page = options.page
        if not page:
            from sample import Sample

            sample = Sample(options.plan, pathlib.Path(folder) / "sample").make()
            page = pathlib.Path(folder) / "report.html"
            sample.plan("20T08:00", "report", "--html", str(page))
        browser = Chromium(pathlib.Path(folder) / "profile")
        try:
            faults = looked(browser, page.resolve(), options.out, options.picture)
        finally:
            browser.end()
    print(*faults, sep="\n")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
