// screenshots.mjs BUILD FOLDER - the pictures of the README, from pages as a reader sees them.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [build, folder] = process.argv.slice(2);
const { chromium } = createRequire(path.resolve(build, "browser", "package.json"))("playwright-core");
const temporary = mkdtempSync(path.join(tmpdir(), "ah_screenshots_"));

const browser = await chromium.launch({
    executablePath: process.env.AH_CHROMIUM || "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking",
        "--disable-component-update", "--disable-sync", "--no-first-run"],
});

async function open(model, options) {
    const file = path.join(temporary, `${model}.html`);
    execFileSync(path.join(build, "anholo"), ["report", `models/${model}.ah`, "-o", file]);
    const context = await browser.newContext({ reducedMotion: "reduce", ...options });
    const page = await context.newPage();
    await page.goto(pathToFileURL(file).href);
    return page;
}

// The animation at one moment.
async function at(page, time) {
    await page.evaluate((t) => window.anholo.players[0].seek(t), time);
}

const view = { viewport: { width: 1000, height: 1150 } };
const tire = await open("tire", view);
await at(tire, 3);
await tire.screenshot({ path: path.join(folder, "page-tire.png") });
await tire.locator(".scene canvas").screenshot({ path: path.join(folder, "tire.png") });

const pendulum = await open("double_pendulum", { ...view, colorScheme: "dark" });
await at(pendulum, 1);
await pendulum.evaluate(() => document.querySelector("#equations").scrollIntoView());
await pendulum.screenshot({ path: path.join(folder, "page-double-pendulum.png") });

await browser.close();
rmSync(temporary, { recursive: true, force: true });
