/* Small comforts on every page. Menus close on Escape and on a click outside of them, and pictures that do not load get a quiet
   placeholder. Nothing else needs this script. */
"use strict";
(() => {
  const menus = () => document.querySelectorAll("details.export[open]");
  document.addEventListener("click", (event) => {
    for (const menu of menus()) if (!menu.contains(event.target)) menu.open = false;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of menus()) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  });
  const quiet = (picture) => picture.classList.add("no-picture");
  document.addEventListener("error", (event) => {
    if (event.target.tagName === "IMG") quiet(event.target);
  }, true);
  for (const picture of document.images) if (picture.complete && !picture.naturalWidth && picture.src) quiet(picture);
})();
