// The search, the filters of the ledger, and the theme; the pages are whole without it.
"use strict";
const root = document.currentScript.dataset.root;

// what does nothing without this script is made by it, and not on every page
function made(tag, words, ...inside) {
  const one = document.createElement(tag);
  Object.entries(words).forEach(([name, word]) => one.setAttribute(name, word));
  one.append(...inside);
  return one;
}
const box = made("input", { type: "search", id: "search", name: "q", autocomplete: "off", "aria-label": "Search the site",
  placeholder: "Search: Theorem 5.8.4, PHSafe, swap rate …" });
const list = made("div", { id: "hits", hidden: "" });
const button = made("button", { type: "button", id: "theme" });
document.querySelector("header .home").after(made("form", { class: "search", role: "search", action: root + "index.html" }, box, list));
document.querySelector("header nav").append(button);

// theme: the system's, until a reader chooses
const page = document.documentElement;
function kept() { try { return localStorage.getItem("stirred-theme"); } catch { return null; } }
function keep(name) { try { localStorage.setItem("stirred-theme", name); } catch { /* a page without storage */ } }
function paint(name) {
  page.dataset.theme = name;
  button.textContent = name === "dark" ? "Light" : "Dark";
}
const system = matchMedia("(prefers-color-scheme: dark)");
paint(kept() || (system.matches ? "dark" : "light"));
system.addEventListener("change", () => kept() || paint(system.matches ? "dark" : "light"));
button.addEventListener("click", () => { const name = page.dataset.theme === "dark" ? "light" : "dark"; keep(name); paint(name); });
addEventListener("beforeprint", () => { page.dataset.theme = "light"; });
addEventListener("afterprint", () => paint(kept() || (system.matches ? "dark" : "light")));

// search
const SILENT = new Set(("a an and are as at by does do for from how i in is it its of on or say says that the them to was were "
  + "what when where which why with proves prove assumes assume ledger statement statements").split(" "));
const MOST = 40;
const LONG = 120;
const WEIGHT = { section: 14, document: 12, item: 12, guide: 9, reference: 10, mechanism: 8, theorem: 4, claim: 5 };
let index = null;

function load(then) {
  if (index) { then(); return; }
  const script = document.createElement("script");
  script.src = root + "static/search.js";
  script.onload = () => {
    index = window.stirredIndex.map(([title, kind, address, verdict, text, more]) =>
      ({ title, kind, address, verdict, text, low: title.toLowerCase(), all: (title + " " + kind + " " + verdict + " " + text + " " + more).toLowerCase() }));
    then();
  };
  document.head.append(script);
}

// a number is found as a whole: 5.8.4 is neither in 15.8.4 nor in 5.8.41
function finder(word) {
  if (/^[(\d][\d.,()]*$/.test(word)) {
    const digits = word.replace(/^\(|\)$/g, "").replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    const whole = new RegExp("(?<![\\d.])" + digits + "(?![\\d]|\\.\\d)");
    return (text) => whole.test(text);
  }
  const stem = word.length > 4 ? word.replace(/(ies|es|s|ing|ed)$/, "") : word;
  return (text) => text.includes(stem);
}

// a rare word counts for more than a frequent one; what has most of the words, by that count, is shown
function found(query) {
  const whole = query.toLowerCase().trim().replace(/\s+/g, " ");
  const isNumber = /^\d+\.\d+$/.test(whole);
  const asksHow = whole.startsWith("how ");
  const words = whole.split(/[\s,;?!]+/).filter(Boolean);
  const asked = words.filter((one) => !SILENT.has(one));
  const finders = (asked.length ? asked : words).map(finder);
  const matched = index.map((one) => finders.map((has) => has(one.all)));
  const rare = finders.map((_, place) => Math.log(1 + index.length / (1 + matched.filter((has) => has[place]).length)));
  const weights = matched.map((has) => has.reduce((sum, is, place) => sum + (is ? rare[place] : 0), 0));
  const most = Math.max(...weights);
  const hits = [];
  index.forEach((one, place) => {
    if (!most || weights[place] < 0.7 * most) return;
    const inTitle = finders.reduce((sum, has, at) => sum + (has(one.low) ? rare[at] : 0), 0);
    const score = 100 * weights[place] + 25 * inTitle + 4 * (WEIGHT[one.kind] || 3)
      + (one.low === whole ? 200 : 0) + (one.low.includes(whole) ? 100 : 0) + (one.all.includes(whole) ? 60 : 0)
      + (asksHow && one.kind === "guide" ? 300 : 0) + (isNumber && one.kind === "claim" ? 150 : 0) - one.low.length / 10;
    hits.push([score, one]);
  });
  return hits.sort((a, b) => b[0] - a[0]).map((hit) => hit[1]);
}

// what stands around the first word that was asked for, with the words marked
function excerpt(text, query) {
  const words = query.toLowerCase().split(/[\s,;?!]+/).filter((one) => one && !SILENT.has(one));
  const low = text.toLowerCase();
  const places = words.map((one) => low.indexOf(one)).filter((place) => place >= 0);
  const at = places.length ? Math.max(Math.min(...places) - 40, 0) : 0;
  const start = at ? low.indexOf(" ", at) + 1 : 0;
  const shown = text.slice(start, start + LONG);
  const line = made("small", {});
  const marks = words.map((one) => one.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
  const pieces = marks ? shown.split(new RegExp("(" + marks + ")", "i")) : [shown];
  line.append(start ? "… " : "", ...pieces.map((one, place) => (place % 2 ? made("mark", {}, one) : one)), start + LONG < text.length ? " …" : "");
  return line;
}

function show() {
  const query = box.value;
  list.replaceChildren();
  list.hidden = !query.trim();
  if (list.hidden) return;
  const hits = found(query);
  if (!hits.length) {
    const none = document.createElement("p");
    none.textContent = "Nothing has these words.";
    list.append(none);
  }
  for (const one of hits.slice(0, MOST)) {
    const link = document.createElement("a");
    const title = document.createElement("b");
    link.href = root + one.address;
    title.textContent = one.title;
    link.append(title, " ", one.verdict ? one.verdict + ", " + one.kind : one.kind, excerpt(one.text, query));
    list.append(link);
  }
}

box.form.addEventListener("submit", (event) => {
  event.preventDefault();
  const first = list.querySelector("a.at") || list.querySelector("a");
  if (first) first.click();
});
box.addEventListener("focus", () => load(show));
box.addEventListener("input", () => load(show));
document.addEventListener("click", (event) => { if (!box.form.contains(event.target)) list.hidden = true; });
document.addEventListener("keydown", (event) => {
  const writes = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName);
  if (event.key === "/" && !writes) { event.preventDefault(); box.focus(); }
  if (event.key === "Escape") list.hidden = true;
  if ((event.key === "ArrowDown" || event.key === "ArrowUp") && box.form.contains(document.activeElement) && !list.hidden) {
    event.preventDefault();
    const links = [...list.querySelectorAll("a")];
    const at = links.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1);
    (links[at] || box).focus();
  }
});
const asked = new URLSearchParams(location.search).get("q");
if (asked) { box.value = asked; load(show); }

// filters of the ledger, kept in the address
const filters = document.getElementById("filters");
if (filters) {
  const rows = [...document.querySelectorAll("#claims > li")];
  const fields = [...filters.querySelectorAll("[data-key]")];
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const apply = () => {
    const chosen = Object.fromEntries(fields.map((field) => [field.dataset.key, field.value.trim()]));
    const words = chosen.words.toLowerCase().split(/\s+/).filter(Boolean);
    let number = 0;
    rows.forEach((row, place) => {
      const fits = (!chosen.verdict || row.dataset.verdict === chosen.verdict)
        && (!chosen.grade || row.dataset.grade === chosen.grade)
        && (!chosen.concept || row.dataset.concept === chosen.concept)
        && (!chosen.document || row.dataset.document.split("|").includes(chosen.document))
        && words.every((word) => texts[place].includes(word));
      row.hidden = !fits;
      number += fits;
    });
    document.getElementById("shown").textContent = number + " of " + rows.length;
    const set = fields.filter((field) => field.value).map((field) => [field.dataset.key, field.value]);
    history.replaceState(null, "", set.length ? "#" + new URLSearchParams(set) : location.pathname + location.search);
  };
  const given = new URLSearchParams(location.hash.slice(1));
  fields.forEach((field) => { if (given.has(field.dataset.key)) field.value = given.get(field.dataset.key); field.addEventListener("input", apply); });
  filters.hidden = false;
  apply();
}

// the numbers of lines of code
for (const column of document.querySelectorAll("[data-lines]")) {
  column.textContent = Array.from({ length: Number(column.dataset.lines) }, (_, place) => place + 1).join("\n");
}

// what a link leads to is open
function unfold() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target instanceof HTMLDetailsElement) target.open = true;
}
addEventListener("hashchange", unfold);
unfold();
