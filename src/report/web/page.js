/* The page of `anholo report`: copying formulas, and everything unfolded on paper. Without it the
 * page says the same. */
(function () {
    "use strict";

    /* Where the clipboard is not given to pages opened as files, a selection serves. */
    function copyBySelection(text) {
        const area = document.createElement("textarea");
        area.value = text;
        area.setAttribute("readonly", "");
        area.style.position = "fixed";
        area.style.opacity = "0";
        document.body.appendChild(area);
        area.select();
        let done = false;
        try {
            done = document.execCommand("copy");
        } catch (e) {
            done = false;
        }
        area.remove();
        return done;
    }

    async function copy(text) {
        if (navigator.clipboard && navigator.clipboard.writeText) {
            try {
                await navigator.clipboard.writeText(text);
                return true;
            } catch (e) {
                /* not allowed here: the other way */
            }
        }
        return copyBySelection(text);
    }

    const status = document.createElement("p");
    status.className = "copied";
    status.setAttribute("role", "status");
    document.body.appendChild(status);

    function button(formula, format, label) {
        const b = document.createElement("button");
        b.type = "button";
        b.textContent = label;
        b.setAttribute("aria-label", "Copy the formula as " + label);
        b.addEventListener("click", async function () {
            const done = await copy(formula.getAttribute("data-" + format));
            b.focus();
            b.textContent = done ? "Copied" : "Not allowed";
            status.textContent = done ? "Copied as " + label : "The browser does not allow copying";
            window.setTimeout(function () {
                b.textContent = label;
                status.textContent = "";
            }, 1500);
        });
        return b;
    }

    document.querySelectorAll(".formula[data-latex]").forEach(function (formula) {
        const bar = document.createElement("div");
        bar.className = "copy";
        bar.append(button(formula, "latex", "LaTeX"), button(formula, "text", "Text"));
        formula.prepend(bar);
    });

    /* A box that scrolls can be reached from the keyboard. */
    function reachable() {
        document.querySelectorAll(".scroll").forEach(function (box) {
            if (box.scrollWidth > box.clientWidth + 1) {
                box.tabIndex = 0;
                box.setAttribute("role", "group");
                box.setAttribute("aria-label", "A wide formula");
            } else {
                box.removeAttribute("tabindex");
            }
        });
    }
    reachable();
    window.addEventListener("resize", reachable);
    document.addEventListener("toggle", reachable, true);

    /* On paper nothing is folded. */
    let folded = [];
    window.addEventListener("beforeprint", function () {
        folded = Array.from(document.querySelectorAll("details:not([open])"));
        folded.forEach(function (d) { d.open = true; });
    });
    window.addEventListener("afterprint", function () {
        folded.forEach(function (d) { d.open = false; });
        folded = [];
    });
})();
