// What would keep people with a screen reader, a keyboard, weak eyes or a small screen from using a page.
() => {
  const faults = [];
  const say = (what, node) => faults.push(what + (node ? ": " + node.outerHTML.slice(0, 120) : ""));
  const seen = (node) => node.checkVisibility({opacityProperty: true, visibilityProperty: true});
  const words = (node) => {
    const label = node.getAttribute("aria-label") || (node.getAttribute("aria-labelledby") || "").split(/\s+/).filter(Boolean)
      .map(id => document.getElementById(id)?.textContent || "").join(" ");
    const pictures = [...node.querySelectorAll("img[alt], svg[aria-label]")].map(each => each.alt || each.getAttribute("aria-label"));
    return (label || node.textContent + pictures.join(" ") || node.title || "").trim();
  };
  if (!document.documentElement.lang) say("no language");
  if (!document.title.trim()) say("no title");
  if (document.querySelectorAll("h1").length !== 1) say(document.querySelectorAll("h1").length + " first headings");
  if (!document.querySelector("main")) say("no main");
  let last = 0;
  for (const heading of document.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
    const rank = +heading.tagName[1];
    if (last && rank > last + 1) say("a heading skips a rank", heading);
    last = rank;
  }
  const ids = new Set();
  for (const node of document.querySelectorAll("[id]")) { if (ids.has(node.id)) say("an id is there twice", node); ids.add(node.id); }
  for (const image of document.querySelectorAll("img")) if (!image.hasAttribute("alt")) say("an image without alt", image);
  for (const frame of document.querySelectorAll("iframe")) if (!frame.title) say("a frame without a title", frame);
  for (const field of document.querySelectorAll("input:not([type=hidden]), select, textarea"))
    if (!(field.labels && field.labels.length && [...field.labels].some(words)) && !field.getAttribute("aria-label") && !field.getAttribute("aria-labelledby"))
      say("a field without a label", field);
  for (const node of document.querySelectorAll("a[href], button, summary")) if (seen(node) && !words(node)) say("nothing says what this does", node);
  for (const node of document.querySelectorAll("[tabindex]")) if (+node.getAttribute("tabindex") > 0) say("an order of its own", node);
  for (const cell of document.querySelectorAll("table")) if (!cell.querySelector("th")) say("a table without heads", cell);
  if (document.documentElement.scrollWidth > innerWidth + 1) say("wider than the screen by " + (document.documentElement.scrollWidth - innerWidth));
  const light = (colour) => {
    const part = colour.map(value => { value /= 255; return value <= .03928 ? value / 12.92 : ((value + .055) / 1.055) ** 2.4; });
    return .2126 * part[0] + .7152 * part[1] + .0722 * part[2];
  };
  const brush = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const numbers = (colour) => { brush.clearRect(0, 0, 1, 1); brush.fillStyle = colour; brush.fillRect(0, 0, 1, 1); const [r, g, b, a] = brush.getImageData(0, 0, 1, 1).data; return [[r, g, b], a / 255]; };
  const ground = (node) => {
    for (let each = node; each; each = each.parentElement) {
      const style = getComputedStyle(each);
      if (style.backgroundImage !== "none") return null;
      const [colour, share] = numbers(style.backgroundColor);
      if (share > .95) return colour;
      if (share > 0) return null;
    }
    return numbers(getComputedStyle(document.documentElement).colorScheme.includes("dark") && matchMedia("(prefers-color-scheme: dark)").matches ? "#121212" : "#fff")[0];
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const judged = new Set();
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || judged.has(node) || !seen(node) || node.closest(".visually-hidden, .skip, [disabled], noscript")) continue;
    judged.add(node);
    const style = getComputedStyle(node), behind = ground(node);
    const [front, share] = numbers(style.color);
    if (!behind || share < .95) continue;
    const [a, b] = [light(front), light(behind)].sort((x, y) => y - x);
    const size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.66 && +style.fontWeight >= 700);
    if ((a + .05) / (b + .05) < (large ? 3 : 4.5)) say("too little contrast (" + ((a + .05) / (b + .05)).toFixed(2) + ")", node);
  }
  return faults;
}
