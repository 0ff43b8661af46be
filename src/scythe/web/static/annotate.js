/* Boxes of the example page and rows of the list find each other: over one, and the other shows; click one, and its form opens.
   Pages run no script of their own: all of this happens here, outside of the frame. */
"use strict";
(() => {
  const rows = new Map();
  for (const row of document.querySelectorAll("[data-number]")) rows.set(row.dataset.number, row);
  const frame = document.getElementById("example");
  const statusLine = document.getElementById("status");

  const page = () => {
    try { return frame && frame.contentDocument; } catch { return null; }
  };
  const boxes = (number) => {
    const shown = page();
    return shown ? Array.from(shown.querySelectorAll(`[data-scythe-slots~="${number}"]`)) : [];
  };
  const mark = (number, name, on) => {
    for (const box of boxes(number)) box.classList.toggle(`scythe-${name}`, on);
    const row = rows.get(number);
    if (row) row.classList.toggle(name, on);
  };
  const clear = (name) => {
    const shown = page();
    if (shown) for (const box of shown.querySelectorAll(`.scythe-${name}`)) box.classList.remove(`scythe-${name}`);
    for (const row of rows.values()) row.classList.remove(name);
  };
  const numbersAt = (target) => {
    const found = [];
    for (let box = target; box && box.closest; box = box.parentElement) {
      box = box.closest("[data-scythe-slots]");
      if (!box) break;
      found.push(...box.dataset.scytheSlots.split(" ").filter((number) => rows.has(number) && !found.includes(number)));
    }
    return found;
  };
  const numberAt = (target) => numbersAt(target)[0];
  /* A second click on what is chosen means the box around it. */
  const meant = (target) => {
    const numbers = numbersAt(target);
    const at = numbers.findIndex((number) => rows.get(number).classList.contains("chosen"));
    return numbers[(at + 1) % numbers.length];
  };
  const behavior = () => (matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth");
  /* Scroll a saved page to a box, and ours not at all. */
  const show = (box, how = "auto") => {
    const view = box && box.ownerDocument.defaultView;
    if (view) view.scrollBy({ top: box.getBoundingClientRect().top - view.innerHeight / 3, behavior: how });
  };

  const choose = (number, fromPage) => {
    const row = rows.get(number);
    if (!row) return;
    clear("chosen");
    mark(number, "chosen", true);
    const alike = boxes(number);
    if (statusLine) statusLine.textContent = `${row.querySelector(".title").textContent.trim()}: ${alike.length} on this page`;
    const group = row.closest("details");
    if (group) group.open = true;
    if (fromPage) row.scrollIntoView({ behavior: behavior(), block: "nearest" });
    else show(alike[0], behavior());
  };

  const open = (number) => {
    const row = rows.get(number);
    if (!row) return;
    const form = row.querySelector(".slot-form");
    const input = form && form.querySelector("input[name=name]");
    if (input) input.focus({ preventScroll: true });
    else row.querySelector(".title").click();
  };

  for (const [number, row] of rows) {
    row.addEventListener("mouseenter", () => mark(number, "over", true));
    row.addEventListener("mouseleave", () => mark(number, "over", false));
    row.addEventListener("focusin", () => { clear("over"); mark(number, "over", true); });
    row.querySelector(".title").addEventListener("click", () => choose(number, false));
  }
  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.target.classList.contains("preview")) event.target.scrollIntoView({ behavior: behavior(), block: "nearest" });
    if (!event.target.classList.contains("slot-form")) return;
    const input = event.target.querySelector("input[name=name]");
    if (!input) return;
    input.focus({ preventScroll: true });
    input.select();
    event.target.closest("[data-number]").scrollIntoView({ behavior: behavior(), block: "nearest" });
  });

  const prepare = () => {
    const shown = page();
    if (!shown || !shown.body || shown.body.dataset.scythePrepared) return;
    shown.body.dataset.scythePrepared = "1";
    const seen = new Set();
    for (const box of shown.querySelectorAll("[data-scythe-slots]")) {
      const number = numberAt(box);
      if (number === undefined || seen.has(number)) continue;
      seen.add(number);
      box.tabIndex = 0;
      box.setAttribute("role", "button");
      box.setAttribute("aria-label", `${rows.get(number).querySelector(".title").textContent.trim()}: name it`);
    }
    let over;
    shown.addEventListener("mouseover", (event) => {
      const number = numberAt(event.target);
      if (number === over) return;
      if (over !== undefined) mark(over, "over", false);
      over = number;
      if (over !== undefined) mark(over, "over", true);
    });
    shown.addEventListener("click", (event) => {
      const number = meant(event.target);
      if (number === undefined) return;
      event.preventDefault();
      choose(number, true);
      open(number);
    });
    shown.addEventListener("keydown", (event) => {
      const number = event.key === "Enter" || event.key === " " ? meant(event.target) : undefined;
      if (number === undefined) return;
      event.preventDefault();
      choose(number, true);
      open(number);
    });
    show(shown.querySelector(".scythe-chosen"));
  };
  if (frame) {
    frame.addEventListener("load", prepare);
    prepare();
  }
  for (const side of document.querySelectorAll("iframe.side")) {
    const turn = () => show(side.contentDocument && side.contentDocument.querySelector(".scythe-chosen"));
    side.addEventListener("load", turn);
    turn();
  }
})();
