// Forwards and backwards through steps: buttons, a slider, and the arrow keys.

import { button, h } from "./dom.js";

export class Player {
  constructor(count, at, shown) {
    this.count = count;
    this.at = Math.min(Math.max(0, at), Math.max(0, count - 1));
    this.shown = shown;
    this.slider = h("input", { type: "range", min: 0, max: Math.max(0, count - 1), "aria-label": "Step", oninput: () => this.to(Number(this.slider.value)) });
    this.told = h("span", { class: "count", "aria-live": "polite" });
    this.back = button("◀ back", () => this.to(this.at - 1), { "aria-keyshortcuts": "ArrowLeft" });
    this.forth = button("forward ▶", () => this.to(this.at + 1), { "aria-keyshortcuts": "ArrowRight", class: "forth" });
    this.element = h("div", { class: "controls", role: "group", "aria-label": "Steps" },
      button("|◀", () => this.to(0), { "aria-label": "first step" }), this.back, this.forth,
      button("▶|", () => this.to(this.count - 1), { "aria-label": "last step" }), this.slider, this.told);
    this.key = (event) => {
      if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) || event.target.closest?.(".word") || event.altKey || event.ctrlKey || event.metaKey) return;
      const to = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.count - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      this.to(to);
    };
    addEventListener("keydown", this.key);
  }

  to(at) {
    this.at = Math.min(Math.max(0, at), this.count - 1);
    this.slider.value = String(this.at);
    this.told.textContent = `step ${this.at} of ${this.count - 1}`;
    this.back.disabled = this.at <= 0;
    this.forth.disabled = this.at >= this.count - 1;
    this.shown(this.at);
  }

  end() {
    removeEventListener("keydown", this.key);
  }
}
