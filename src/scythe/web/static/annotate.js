/* Boxes of the example page and entries of the list find each other by numbers: over one, and the other shows; click one, and
   its form opens. Choose a field first, and a click on the page names it. Pages run no script of their own: all of this happens
   here, outside of the frame. */
"use strict";
(() => {
  const root = document.querySelector("[data-annotate]");
  const frame = document.getElementById("example");
  let picking = null;

  const page = () => {
    try { return frame && frame.contentDocument; } catch { return null; }
  };
  const boxes = (number) => {
    const shown = page();
    return shown ? Array.from(shown.querySelectorAll(`[data-scythe-slots~="${number}"]`)) : [];
  };
  const entries = (number) => Array.from(document.querySelectorAll(`[data-numbers~="${number}"]`));
  const numbersOf = (entry) => entry.dataset.numbers.split(" ").filter(Boolean);
  const mark = (number, name, on) => {
    for (const box of boxes(number)) box.classList.toggle(`scythe-${name}`, on);
    for (const entry of entries(number)) entry.classList.toggle(name, on);
  };
  const clear = (name) => {
    const shown = page();
    if (shown) for (const box of shown.querySelectorAll(`.scythe-${name}`)) box.classList.remove(`scythe-${name}`);
    for (const entry of document.querySelectorAll(`.${name}[data-numbers]`)) entry.classList.remove(name);
  };
  const say = (words) => {
    const line = document.getElementById("status");
    if (line) line.textContent = words;
  };
  const behavior = () => (matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth");
  /* Scroll a saved page to a box, and ours not at all. */
  const show = (box, how = "auto") => {
    const view = box && box.ownerDocument.defaultView;
    if (view) view.scrollBy({ top: box.getBoundingClientRect().top - view.innerHeight / 3, behavior: how });
  };
  const words = (box) => (box.textContent || box.getAttribute("alt") || "").replace(/\s+/g, " ").trim().slice(0, 60);

  /* The numbers of the boxes around a part of the page, the innermost first. */
  const numbersAt = (target) => {
    const found = [];
    let box = target && target.closest ? target.closest("[data-scythe-slots]") : null;
    while (box) {
      for (const number of box.dataset.scytheSlots.split(" ")) if (!found.includes(number)) found.push(number);
      box = box.parentElement && box.parentElement.closest("[data-scythe-slots]");
    }
    return found;
  };
  /* A second click on what is chosen means the box around it. */
  const meant = (target) => {
    const numbers = numbersAt(target);
    const chosen = document.querySelector("#chosen [data-numbers]");
    const at = chosen ? numbers.indexOf(chosen.dataset.numbers) : -1;
    return numbers[(at + 1) % numbers.length];
  };

  const choose = (number, fromPage) => {
    clear("chosen");
    mark(number, "chosen", true);
    const alike = boxes(number);
    if (alike.length) say(alike.length > 1 ? `${alike.length} alike on this page: “${words(alike[0])}”…` : `“${words(alike[0])}”`);
    else say("It has no box: it is in the page's metadata or on an index page, or this page has none.");
    if (!fromPage) show(alike[0], behavior());
  };

  const own = () => {
    const values = {};
    for (const name of ["csrf", "version", "cluster", "page"]) {
      const input = document.querySelector(`#pane [name=${name}]`);
      if (input) values[name] = input.value;
    }
    return values;
  };
  const openForm = (number) => {
    const { cluster, page: shown } = own();
    const at = `${root.dataset.at}/slot?cluster=${root.dataset.cluster || cluster}&page=${shown || ""}&number=${number}`;
    return htmx.ajax("GET", at, { target: "#chosen", swap: "innerHTML" });
  };
  const use = (number) => {
    const values = { ...own(), what: picking.dataset.action, name: picking.dataset.pick, number };
    stopPicking();
    htmx.ajax("POST", root.dataset.at, { target: "#pane", swap: "outerHTML", values });
  };
  const stopPicking = () => {
    if (picking) picking.setAttribute("aria-pressed", "false");
    picking = null;
    if (root) root.classList.remove("picking");
  };
  const explain = (target) => {
    const text = target && target.textContent ? words(target) : "";
    const at = `${root.dataset.at}/explain?cluster=${root.dataset.cluster}&text=${encodeURIComponent(text)}`;
    fetch(at).then((answer) => answer.json()).then((answer) => say(answer.message)).catch(() => say("There is nothing to name here."));
  };

  const press = (target) => {
    const number = meant(target);
    if (number === undefined) return false;
    if (picking) use(number);
    else {
      choose(number, true);
      openForm(number);
    }
    return true;
  };

  const prepare = () => {
    const shown = page();
    if (!root || !shown || !shown.body || shown.body.dataset.scythePrepared) return;
    shown.body.dataset.scythePrepared = "1";
    const seen = new Set();
    for (const box of shown.querySelectorAll("[data-scythe-slots]")) {
      const number = box.dataset.scytheSlots.split(" ")[0];
      if (seen.has(number)) continue;
      seen.add(number);
      box.tabIndex = 0;
      box.setAttribute("role", "button");
      box.setAttribute("aria-label", `${box.dataset.scytheLabel || "unused"}: ${words(box)}`);
    }
    let over;
    shown.addEventListener("mouseover", (event) => {
      const number = numbersAt(event.target)[0];
      if (number === over) return;
      if (over !== undefined) mark(over, "over", false);
      over = number;
      if (over !== undefined) mark(over, "over", true);
    });
    shown.addEventListener("click", (event) => {
      event.preventDefault();
      if (!press(event.target)) explain(event.target);
    });
    shown.addEventListener("keydown", (event) => {
      if (event.key === "Escape") stopPicking();
      if ((event.key === "Enter" || event.key === " ") && press(event.target)) event.preventDefault();
    });
    show(shown.querySelector(".scythe-chosen"));
  };
  /* After a change the boxes get their new looks where they are: nothing is loaded again, nothing scrolls. */
  const repaint = async () => {
    const shown = page();
    if (!shown || !frame) return;
    const answer = await fetch(frame.src);
    /* Style is left out: a page without a frame may not have any of its own. */
    const markup = (await answer.text()).replace(/<style\b[^>]*>[^]*?<\/style>/g, "").replace(/ style="[^"]*"/g, "");
    const fresh = new DOMParser().parseFromString(markup, "text/html").querySelectorAll("[data-scythe-slots]");
    const old = shown.querySelectorAll("[data-scythe-slots]");
    if (fresh.length !== old.length) return frame.contentWindow.location.reload();
    fresh.forEach((box, at) => {
      old[at].className = box.className;
      if (box.dataset.scytheLabel) old[at].dataset.scytheLabel = box.dataset.scytheLabel;
      else delete old[at].dataset.scytheLabel;
    });
    clear("chosen");
  };

  const wire = () => {
    for (const button of document.querySelectorAll(".pick")) button.hidden = false;
  };
  document.addEventListener("mouseover", (event) => {
    const entry = event.target.closest && event.target.closest("#pane [data-numbers]");
    clear("over");
    if (entry) for (const number of numbersOf(entry)) mark(number, "over", true);
  });
  document.addEventListener("focusin", (event) => {
    const entry = event.target.closest && event.target.closest("#pane [data-numbers]");
    clear("over");
    if (entry) for (const number of numbersOf(entry)) mark(number, "over", true);
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest && event.target.closest(".pick");
    if (button) {
      const isSame = picking === button;
      stopPicking();
      if (isSame) return say("");
      picking = button;
      button.setAttribute("aria-pressed", "true");
      root.classList.add("picking");
      return say(`Click the ${button.dataset.pick} on the page. Escape leaves it.`);
    }
    const title = event.target.closest && event.target.closest("#pane a.title");
    const entry = title && title.closest("[data-numbers]");
    if (entry) choose(numbersOf(entry)[0], false);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && picking) { stopPicking(); say(""); }
  });
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.xhr.status === 409) event.detail.shouldSwap = true;
  });
  document.addEventListener("htmx:responseError", (event) => {
    if (event.detail.xhr.status === 409) return;
    const answer = new DOMParser().parseFromString(event.detail.xhr.responseText, "text/html");
    const message = answer.querySelector("main p");
    say(message ? message.textContent : "This did not work. Reload the page.");
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    const { target } = event.detail;
    if (target.id === "pane" || document.getElementById("pane") === event.target) {
      wire();
      repaint();
    }
    if (target.id !== "chosen") return;
    const input = target.querySelector("input[name=name]");
    if (!input) return;
    input.focus({ preventScroll: true });
    input.select();
    target.scrollIntoView({ behavior: behavior(), block: "nearest" });
  });
  wire();
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
