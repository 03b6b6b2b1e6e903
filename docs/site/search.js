"use strict";
// The gallery's search: words anywhere in name, title, source.
const field = document.getElementById("search"), count = document.getElementById("count");
const items = [...document.querySelectorAll(".gallery li")];
function show() {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const item of items) {
        const text = item.dataset.text;
        item.hidden = !words.every((word) => text.includes(word));
        shown += !item.hidden;
    }
    count.textContent = shown < items.length ? `${shown} of ${items.length} models` : `${shown} models`;
}
field.addEventListener("input", show);
show();
