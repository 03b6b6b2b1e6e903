// Opens the pages of `anholo report` in Chromium: run.mjs BUILD MODEL… ; TAP lines on standard output.
//
// BUILD/anholo makes the pages; playwright-core lies in BUILD/browser/node_modules (scripts/browser).
import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

const [build, ...models] = process.argv.slice(2);
const require = createRequire(path.resolve(build, "browser", "package.json"));
const { chromium } = require("playwright-core");

let passed = 0;
let failed = 0;
function check(good, name, ...notes) {
    if (!good) notes.forEach((note) => String(note).split("\n").forEach((l) => console.log(`# ${l}`)));
    good ? passed++ : failed++;
    console.log(`${good ? "ok" : "not ok"} ${passed + failed} - browser.${name}`);
}

// ---- Pages --------------------------------------------------------------------------------------

const folder = mkdtempSync(path.join(tmpdir(), "ah_browser_"));
const browser = await chromium.launch({
    executablePath: process.env.AH_CHROMIUM || "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking",
        "--disable-component-update", "--disable-sync", "--no-first-run"],
});

async function make(model, ...words) {
    const page = path.join(folder, path.basename(model, ".ah") + ".html");
    await promisify(execFile)(path.join(build, "anholo"), ["report", model, "-o", page, ...words]);
    return pathToFileURL(page).href;
}

// A page in a context of its own; `seen` collects what must not happen.
async function open(url, options = {}) {
    const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(20000);
    const seen = [];
    page.on("console", (m) => { if (["error", "warning"].includes(m.type())) seen.push(m.text()); });
    page.on("pageerror", (e) => seen.push(String(e)));
    page.on("request", (r) => { if (r.url() !== url && !r.url().startsWith("data:")) seen.push(r.url()); });
    await page.goto(url);
    return { context, page, seen };
}

// ---- Every page ---------------------------------------------------------------------------------

// Formulas that are on display and have no size, and boxes that stick out of the page.
function flaws() {
    const found = [];
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth > width + 1)
        found.push(`the page is ${document.documentElement.scrollWidth} wide, the window ${width}`);
    for (const math of document.querySelectorAll("math")) {
        if (!math.checkVisibility() || math.closest("details:not([open])")) continue;
        const box = math.getBoundingClientRect();
        if (box.width < 3 || box.height < 5) found.push(`a formula of ${box.width} × ${box.height}`);
        if (!(math instanceof MathMLElement)) found.push("a formula that is none");
    }
    for (const figure of document.querySelectorAll("figure")) {
        const box = figure.getBoundingClientRect();
        if (figure.checkVisibility() && (box.width < 50 || box.height < 50))
            found.push(`a figure of ${box.width} × ${box.height}`);
    }
    return found.slice(0, 5);
}

const unfold = () => document.querySelectorAll("details").forEach((d) => { d.open = true; });

async function everyPage(model) {
    const url = await make(model);
    const name = path.basename(model, ".ah");
    const { context, page, seen } = await open(url);
    const wrong = await page.evaluate(flaws);
    await page.evaluate(unfold);
    wrong.push(...await page.evaluate(flaws));
    await page.setViewportSize({ width: 390, height: 844 });
    wrong.push(...await page.evaluate(flaws));
    if (await page.locator(".scene").count()) wrong.push(...await moves(page), ...await page.evaluate(strays));
    check(!wrong.length && !seen.length, name, ...wrong, ...seen);
    await context.close();
    return url;
}

// ---- The animation ------------------------------------------------------------------------------

const picture = (page) => page.locator(".scene canvas").first().evaluate((c) => c.toDataURL());

// What the picture does not do: play, stop, go where it is put.
async function moves(page) {
    const wrong = [];
    const scene = page.locator(".scene").first();
    if (!await scene.locator("canvas").count()) return ["no canvas"];
    await scene.scrollIntoViewIfNeeded();
    const slider = scene.locator("input[type=range]").first();
    const play = scene.locator("button").first();
    const put = (share) => slider.evaluate((s, x) => {
        s.value = String(+s.min + x * (+s.max - +s.min));
        s.dispatchEvent(new Event("input", { bubbles: true }));
    }, share);
    if (await scene.getAttribute("data-playing") === "true") await play.click();
    await put(0);
    await page.waitForTimeout(60);
    const first = await picture(page);
    await put(0.37);
    await page.waitForTimeout(60);
    if (await picture(page) === first) wrong.push("scrubbing changes nothing");
    await put(0);
    await page.waitForTimeout(60);
    if (await picture(page) !== first) wrong.push("scrubbing back does not lead back");
    await play.click();
    await page.waitForTimeout(350);
    if (await picture(page) === first) wrong.push("playing changes nothing");
    await play.click();
    await page.waitForTimeout(60);
    const stopped = await picture(page);
    await page.waitForTimeout(120);
    if (await picture(page) !== stopped) wrong.push("it does not stop");
    return wrong;
}

// Numbers of the picture that the page computes otherwise than the program did, in the first fifth of the motion.
function strays() {
    const live = window.anholo.live;
    if (!live) return document.querySelector("p.still") ? [] : ["neither sliders nor a reason why not"];
    const found = live.channels(), first = live.first.channels, size = live.player.scene.view || 1;
    const rows = Math.max(2, Math.floor(live.first.time.length / 5)), wrong = [];
    first.forEach((channel, i) => {
        for (let f = 0; f < rows; f++) {
            const a = typeof channel === "number" ? channel : channel[f];
            const b = typeof found[i] === "number" ? found[i] : found[i][f];
            if (a === null ? Number.isFinite(b) : !(Math.abs(a - b) <= 2e-5 * (Math.abs(a) + size))) {
                wrong.push(`channel ${i} (${live.player.scene.recipes[i]}) at row ${f}: ${b}, not ${a}`);
                break;
            }
        }
    });
    return wrong.slice(0, 3);
}

// ---- Sliders ------------------------------------------------------------------------------------

const columns = (text) => {
    const rows = text.trim().split("\n").map((r) => r.split(","));
    return (name) => rows.slice(1).map((r) => Number(r[rows[0].indexOf(name)]));
};

// A slider is dragged: the picture, the plots and the address follow, and the numbers are those of `simulate`.
async function live(url, model, slider) {
    const name = path.basename(model, ".ah");
    const { context, page, seen } = await open(url, { reducedMotion: "reduce" });
    const plot = () => page.locator(".plots svg path.curve").first().getAttribute("d");
    const seek = () => page.evaluate(() => window.anholo.players[0].seek(1.3));
    const input = page.locator(`[id="${slider}"]`);
    await input.scrollIntoViewIfNeeded();
    await seek();
    const before = [await picture(page), await plot()];
    const box = await input.boundingBox();
    const at = await input.evaluate((s) => (s.value - s.min) / (s.max - s.min));
    await page.mouse.move(box.x + 8 + at * (box.width - 16), box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + 8 + (at + 0.15) * (box.width - 16), box.y + box.height / 2, { steps: 5 });
    await page.waitForTimeout(60);
    const during = await plot();
    await page.mouse.up();
    await page.waitForTimeout(300);
    await seek();
    const after = [await picture(page), await plot()];
    check(before[0] !== after[0], `live.${name}.picture`);
    check(before[1] !== after[1] && before[1] !== during, `live.${name}.plot`);
    const link = await page.evaluate(() => window.anholo.live.link());
    check(/#live:p\./.test(link) && await page.evaluate(() => location.href) === link, `live.${name}.link`, link);
    const rows = await page.evaluate(() => window.anholo.live.rows());
    const [key, value] = decodeURIComponent(link.split("#live:p.")[1]).split("=");
    const said = await promisify(execFile)(path.join(build, "anholo"), ["simulate", model, `--set=${key}=${value}`,
        `--to=${rows.t[rows.t.length - 1]}`, `--samples=${rows.t.length}`, "--rtol=1e-9", "--atol=1e-12"], { maxBuffer: 1 << 26 });
    const want = columns(said.stdout), wrong = [];
    rows.names.forEach((n, i) => want(n).forEach((x, k) => {
        if (!(Math.abs(x - rows.y[k][i]) <= 2e-7 * (1 + Math.abs(x)))) wrong.push(`${n} at ${rows.t[k]}: ${rows.y[k][i]}, not ${x}`);
    }));
    check(!wrong.length && rows.t.length > 100, `live.${name}.numbers`, ...wrong.slice(0, 5));
    const times = await page.evaluate(() => [1, 2, 3, 4, 5].map((k) => {
        const begin = performance.now();
        window.anholo.live.settings[0].now *= 1 + 1e-3 * k;
        window.anholo.live.update([1e-5, 1e-8], 100);
        return performance.now() - begin;
    }).sort((a, b) => a - b));
    console.log(`# ${name}: ${times[2].toFixed(1)} ms a frame while one drags`);
    const other = await open(link, { reducedMotion: "reduce" });
    check(JSON.stringify(await other.page.evaluate(() => window.anholo.live.rows())) === JSON.stringify(rows), `live.${name}.link_opens`);
    await other.context.close();
    await page.locator(".live-reset").click();
    await seek();
    check(await picture(page) === before[0] && await plot() === before[1] && !(await page.evaluate(() => location.hash)),
        `live.${name}.reset`);
    await page.evaluate(() => window.anholo.live.set(window.anholo.live.settings[0].name, NaN));
    check(!seen.length, `live.${name}.clean`, ...seen);
    await context.close();
}

async function orbit(url) {
    const { context, page, seen } = await open(url);
    const canvas = page.locator(".scene canvas").first();
    await canvas.scrollIntoViewIfNeeded();
    const box = await canvas.boundingBox();
    const drag = async (dx, dy) => {
        await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
        await page.mouse.down();
        await page.mouse.move(box.x + box.width / 2 + dx, box.y + box.height / 2 + dy, { steps: 4 });
        await page.mouse.up();
        await page.waitForTimeout(60);
    };
    const playing = () => page.locator(".scene").first().getAttribute("data-playing");
    if (await playing() === "true") await page.locator(".scene button").first().click();
    await page.waitForTimeout(100);
    const before = await picture(page);
    await drag(80, 30);
    const turned = await picture(page);
    check(turned !== before, "orbit");
    await page.mouse.wheel(0, -300);
    await page.waitForTimeout(100);
    check(await picture(page) !== turned, "zoom");
    const scene = page.locator(".scene").first();
    await scene.locator("button").first().focus();
    const still = await picture(page);
    await page.keyboard.press("Enter");
    await page.waitForTimeout(350);
    check(await picture(page) !== still, "play_by_keyboard");
    await page.keyboard.press("Enter");
    check(!seen.length, "orbit.clean", ...seen);
    await context.close();
}

// ---- Copying and downloading --------------------------------------------------------------------

// Buttons that the page shows, for a mouse and for a keyboard; with and without the clipboard.
async function copies(url) {
    for (const allowed of [true, false]) {
        const { context, page } = await open(url);
        if (allowed) await context.grantPermissions(["clipboard-read", "clipboard-write"]);
        if (!allowed)
            await page.evaluate(() => {
                Object.defineProperty(navigator, "clipboard", { value: undefined });
                document.addEventListener("copy", () => {
                    window.copied = document.activeElement.value;
                });
            });
        const name = allowed ? "copy" : "copy.without_clipboard";
        const formula = page.locator("#equations .formula").first();
        const wanted = await formula.evaluate((f) => [f.dataset.latex, f.dataset.text]);
        const got = () => page.evaluate((on) => (on ? navigator.clipboard.readText() : window.copied),
            allowed);
        await formula.hover();
        await formula.getByRole("button", { name: /LaTeX/ }).click();
        await page.waitForTimeout(50);
        const latex = await got();
        check(latex === wanted[0] && /\\begin\{align\*\}[^]*=[^]*\\end\{align\*\}/.test(latex), `${name}.latex`,
            latex);
        check(await formula.getByRole("button", { name: /LaTeX/ }).textContent() === "Copied",
            `${name}.says_so`);
        await formula.getByRole("button", { name: /Text/ }).focus();
        await page.keyboard.press("Enter");
        await page.waitForTimeout(50);
        check(await got() === wanted[1], `${name}.text_by_keyboard`, await got());
        await context.close();
    }
}

async function downloads(url) {
    const { context, page } = await open(url);
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("a[download]")]);
    const rows = readFileSync(await download.path(), "utf8").trim().split("\n");
    check(download.suggestedFilename().endsWith(".csv") && rows[0].startsWith("t,") && rows.length > 100
        && rows.every((r) => r.split(",").length === rows[0].split(",").length), "download",
        rows.slice(0, 2).join("\n"));
    await context.close();
}

// ---- Other readers ------------------------------------------------------------------------------

async function withoutScripts(url) {
    const { context, page, seen } = await open(url, { javaScriptEnabled: false });
    const visible = async (what) => (await page.locator(what).first().boundingBox())?.height > 5;
    check(await visible("#equations math") && await visible("#motion table") && await visible("h1")
        && await visible("#motion figure svg") && await visible(".scene svg"), "no_scripts");
    await page.locator("#equations details.steps summary").first().click();
    check(await visible("#equations details.steps math"), "no_scripts.steps");
    check(!seen.length, "no_scripts.clean", ...seen);
    await context.close();
}

// Luminance contrast of every text against what is behind it (opaque colours only).
function contrasts() {
    const rgb = (s) => (s.match(/[\d.]+/g) || []).map(Number);
    const luminance = (c) => {
        const part = (v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
        return 0.2126 * part(c[0]) + 0.7152 * part(c[1]) + 0.0722 * part(c[2]);
    };
    const behind = (e) => {
        for (; e; e = e.parentElement) {
            const c = rgb(getComputedStyle(e).backgroundColor);
            if (c.length === 3 || c[3] > 0.99) return c;
        }
        return [255, 255, 255];
    };
    const poor = new Set();
    for (const e of document.querySelectorAll("body *")) {
        const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
        if (!own || !e.checkVisibility() || e.closest("script, style, svg") || e.closest(".copied")) continue;
        const [a, b] = [luminance(rgb(getComputedStyle(e).color)), luminance(behind(e))];
        const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (ratio < 4.5) poor.add(`${e.tagName} ${e.className}: ${ratio.toFixed(2)}`);
    }
    return [...poor].slice(0, 8);
}

async function colours(url) {
    for (const colorScheme of ["light", "dark"]) {
        const { context, page, seen } = await open(url, { colorScheme });
        await page.evaluate(unfold);
        const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        const dark = Number(background.match(/\d+/)[0]) < 100;
        check(dark === (colorScheme === "dark") && !seen.length, `colours.${colorScheme}`, background, ...seen);
        const poor = await page.evaluate(contrasts);
        check(!poor.length, `contrast.${colorScheme}`, ...poor);
        await context.close();
    }
}

// Everything is unfolded, nothing sticks out of the paper, and a PDF of several pages comes out.
async function prints(url) {
    const { context, page } = await open(url);
    await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
    check(await page.evaluate(() => !document.querySelector("details:not([open])")), "print.unfolded");
    await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
    check(await page.evaluate(() => !!document.querySelector("details:not([open])")), "print.folded_again");
    await page.emulateMedia({ media: "print" });
    const shown = await page.evaluate(() => [...document.querySelectorAll("button, nav, canvas")]
        .filter((e) => e.checkVisibility()).map((e) => e.tagName));
    check(!shown.length, "print.no_controls", ...shown);
    const pdf = await page.pdf({ format: "A4" });
    check(pdf.length > 20000 && pdf.subarray(0, 5).toString() === "%PDF-", "print.pdf", pdf.length);
    await context.close();
}

async function keyboard(url) {
    const { context, page } = await open(url);
    await page.keyboard.press("Tab");
    const skip = await page.evaluate(() => document.activeElement.className);
    await page.keyboard.press("Enter");
    const at = await page.evaluate(() => location.hash);
    check(skip === "skip" && at === "#main", "keyboard.skip", skip, at);
    await page.locator("#equations details.steps summary").first().focus();
    await page.keyboard.press("Enter");
    check(await page.evaluate(() => !!document.querySelector("#equations details.steps[open]")),
        "keyboard.steps");
    await context.close();
}

// ---- Where a motion begins and ends --------------------------------------------------------------

// Values of `start` and the end of the span are formulas of parameters, a `stop` ends the motion: the rows are those of `simulate` with
// the same values, the last one where it stops. A motion of a million turns is given up after the seconds that a page may wait.
const THROWN = `parameter m = 1, g = 10, v0 = 5, a = 0.5, w = 1
coordinate x, y, z
kinetic 1/2*m*(x'^2 + y'^2 + z'^2)
potential m*g*y + m*w^2*z^2/2
start x = a, y = x^2, z = 1, x' = v0/2, y' = v0, z' = 0
simulate t = 0 .. 20/g
stop "ground" when y = 0 falling
draw point (x, y)
`;

// y and y' are left open: they follow from the constraint when another place or length is given.
const HUNG = `parameter m = 0.7, l = 1.1, g = 9.81
coordinate x, y
point P mass m at (x, y)
gravity (0, -g)
constraint rod: x^2 + y^2 = l^2
start x = 0.5, x' = 0.3, y near -1
simulate t = 0 .. 2
`;

// Stops, friction, a force that is cut off, a table's corners in a constraint: places that a step must not pass unnoticed.
const SWITCHED = `parameter m = 1, k = 40, a = 0.4, mu = 0.1, T = 1.1
input u = if(t < T, 2*t, 2*T), s = 0.1*abs(sin(2*t + 0.3)) + 0.05*abs(t - T)
coordinate x, y, z
kinetic m*(x'^2 + y'^2 + z'^2)/2
potential k*max(0, abs(x) - a)^2/2 + (z - y)^2
force x = -mu*sign(x')*(1 + x^2) + u*clamp(sin(3*t), -0.5, 0.5)
constraint belt: y = s + 0.1*z
start x = 0.1, x' = 1, z = 0, z' = 0
simulate t = 0 .. 4
draw point (x, z)
`;

async function starts() {
    const switched = path.join(folder, "switched.ah");
    writeFileSync(switched, SWITCHED);
    await (await startsOf(switched, [{ mu: 0.2 }, { k: 60 }, { T: 0.7 }, { T: 2 }], 4, 2e-8)).context.close();
    const hung = path.join(folder, "hung.ah");
    writeFileSync(hung, HUNG);
    await (await startsOf(hung, [{ l: 1.4 }, { g: 12 }, { l: 0.8, m: 2 }], 2)).context.close();
    const model = path.join(folder, "thrown.ah");
    writeFileSync(model, THROWN);
    const { context, page, seen } = await startsOf(model, [{ v0: 7 }, { g: 5, a: 0.8 }, { g: 9, v0: 3 }], 0);
    const [seconds, says] = await page.evaluate(() => {
        const begin = performance.now();
        window.anholo.live.reset();
        window.anholo.live.set("w", 1e7);
        return [(performance.now() - begin) / 1000, document.querySelector(".live-says").textContent];
    });
    check(seconds < 8 && /too long/.test(says), "live.patience", seconds, says);
    check(!seen.length, "live.starts.clean", ...seen);
    await context.close();
}

// The page with these values beside `simulate`; span 0: 20/g.
async function startsOf(model, sets, span, within = 2e-7) {
    const opened = await open(await make(model), { reducedMotion: "reduce" }), { page } = opened;
    for (const set of sets) {
        const rows = await page.evaluate((values) => {
            const live = window.anholo.live;
            live.reset();
            for (const name in values) live.set(name, values[name]);
            return live.rows();
        }, set);
        const words = Object.entries(set).map(([k, v]) => `${k}=${v}`).join(",");
        const samples = Math.round((span || 20 / (set.g || 10)) / (rows.t[1] - rows.t[0])) + 1;
        const said = await promisify(execFile)(path.join(build, "anholo"), ["simulate", model, `--set=${words}`, `--samples=${samples}`,
            "--rtol=1e-9", "--atol=1e-12"], { maxBuffer: 1 << 26 });
        const want = columns(said.stdout), wrong = [];
        ["t", ...rows.names].forEach((n, i) => want(n).forEach((x, k) => {
            const y = k < rows.t.length ? i ? rows.y[k][i - 1] : rows.t[k] : NaN;
            if (!(Math.abs(x - y) <= within * (1 + Math.abs(x)))) wrong.push(`${n} in row ${k}: ${y}, not ${x}`);
        }));
        check(!wrong.length && want("t").length === rows.t.length && rows.t.length > 50, `live.starts.${words}`, rows.t.length, want("t").length,
            ...wrong.slice(0, 3));
    }
    return opened;
}

// ---- All of it ----------------------------------------------------------------------------------

try {
    const urls = {};
    const waiting = [...models];
    const worker = async () => {
        for (let model = waiting.shift(); model; model = waiting.shift())
            urls[path.basename(model, ".ah")] = await everyPage(model);
    };
    await Promise.all([worker(), worker(), worker()]);
    const [tire, pendulum] = [urls.tire, urls.double_pendulum];
    await orbit(tire);
    await live(tire, models.find((m) => m.endsWith("tire.ah")), "live-parameter-m");
    await live(pendulum, models.find((m) => m.endsWith("double_pendulum.ah")), "live-parameter-g");
    if (process.env.AH_STARTS) await starts();
    await copies(tire);
    await downloads(tire);
    await withoutScripts(pendulum);
    await colours(tire);
    await prints(pendulum);
    await keyboard(pendulum);
} catch (error) {
    check(false, "ended", error.stack);
} finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
}
console.log(`1..${passed + failed}\n${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
