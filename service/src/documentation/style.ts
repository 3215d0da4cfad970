// The style sheet of the guide, and of the page header that the guide and the API reference share. The style sheet uses
// system fonts only.

export const STYLE = `:root {
  color-scheme: light dark;
  /* Space that Scalar leaves for the header. */
  --scalar-custom-header-height: 48px;
  --ink: light-dark(#1c2230, #e4e8ef); --faint: light-dark(#566074, #a3adbd); --link: light-dark(#0b5cad, #7fb8ff);
  --paper: light-dark(#ffffff, #12161d); --raised: light-dark(#f4f6f9, #1b212b); --mark: light-dark(#e8f1fc, #1d3350);
  --line: light-dark(#d9dee7, #333c4a);
  --code-keyword: light-dark(#8a2a8f, #e3a2f0); --code-string: light-dark(#0a6640, #8fd6a4);
  --code-name: light-dark(#0b5cad, #8cc4ff); --code-number: light-dark(#9a4a00, #f2b27a);
}
/* Scalar's color switch sets one of these classes on the body. */
body.light-mode { color-scheme: light; }
body.dark-mode { color-scheme: dark; }
body { margin: 0; }
.docs-header {
  position: sticky; top: 0; z-index: 2000; box-sizing: border-box; min-height: 48px; padding: 0 1.25rem;
  display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0 1.5rem;
  background: var(--paper); color: var(--ink); border-bottom: 1px solid var(--line);
  font: 15px/1.4 system-ui, sans-serif;
}
.docs-header nav { display: flex; gap: 1.25rem; }
.docs-header a { color: var(--link); text-decoration: none; padding: .4rem 0; }
.docs-header a[aria-current] { color: var(--ink); font-weight: 600; }
.docs-header a:hover { text-decoration: underline; }
:is(.docs-header, .guide) :focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 3px; }
.guide {
  display: grid; grid-template-columns: 13rem minmax(0, 58rem) 1fr; grid-template-rows: auto 1fr; column-gap: 3rem;
  min-height: 100vh; background: var(--paper); color: var(--ink); font: 16px/1.6 system-ui, sans-serif;
}
.guide .docs-header { grid-column: 1 / -1; }
.guide .skip { position: absolute; left: -100vw; }
.guide .skip:focus { left: 1rem; top: .6rem; z-index: 2001; background: var(--paper); padding: .25rem .75rem; }
.guide a { color: var(--link); }
.guide .pages { padding: 2.1rem 0 2rem 1.25rem; }
.guide .pages ul { list-style: none; margin: 0; padding: 0; position: sticky; top: 5rem; }
.guide .pages a { display: block; padding: .35rem .75rem; border-radius: 6px; color: var(--ink); text-decoration: none; }
.guide .pages a:hover { background: var(--raised); }
.guide .pages a[aria-current] { background: var(--mark); font-weight: 600; }
.guide main { padding: 1.5rem 0 3rem; outline: none; }
.guide h1 { font-size: 2rem; line-height: 1.2; margin: .5rem 0 .25rem; }
.guide h2 { font-size: 1.3rem; line-height: 1.3; margin: 2.5rem 0 .5rem; }
.guide h3 { font-size: 1.05rem; margin: 1.75rem 0 .25rem; }
.guide .summary { color: var(--faint); font-size: 1.1rem; margin-top: 0; }
.guide p, .guide ul { max-width: 46rem; overflow-wrap: break-word; }
.guide code { font: .875em/1.5 ui-monospace, 'DejaVu Sans Mono', monospace; }
.guide :not(pre) > code { background: var(--raised); padding: .1em .2em; border-radius: 4px; overflow-wrap: anywhere; }
.guide figure { margin: 1rem 0; border: 1px solid var(--line); border-radius: 8px; background: var(--raised); overflow: hidden; }
.guide figcaption {
  display: flex; align-items: center; justify-content: space-between; min-height: 1.75rem; padding: .2rem .5rem .2rem .9rem;
  font-size: .75rem; color: var(--faint); border-bottom: 1px solid var(--line);
}
.guide figcaption button {
  min-height: 1.5rem; padding: 0 .6rem; font: inherit; cursor: pointer;
  color: var(--ink); background: var(--paper); border: 1px solid var(--line); border-radius: 5px;
}
.guide figcaption button:hover { background: var(--mark); }
.guide .copy-status { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); }
.guide pre { margin: 0; padding: .75rem .9rem; overflow-x: auto; }
.guide :is(.hljs-keyword, .hljs-built_in, .hljs-literal, .hljs-type) { color: var(--code-keyword); }
.guide :is(.hljs-string, .hljs-regexp) { color: var(--code-string); }
.guide :is(.hljs-attr, .hljs-property, .hljs-title, .hljs-variable, .hljs-subst .hljs-variable) { color: var(--code-name); }
.guide .hljs-number { color: var(--code-number); }
.guide .hljs-subst { color: var(--ink); }
.guide .hljs-comment { color: var(--faint); font-style: italic; }
.guide figure.answer { border-style: dashed; background: none; }
.guide .table { overflow-x: auto; margin: 1rem 0; }
.guide table { border-collapse: collapse; width: 100%; font-size: .94rem; }
.guide th, .guide td { text-align: left; vertical-align: top; padding: .5rem 1rem .5rem 0; border-bottom: 1px solid var(--line); }
.guide th { font-weight: 600; white-space: nowrap; }
.guide blockquote { margin: .5rem 0 1rem; padding: .1rem 0 .1rem 1rem; border-left: 3px solid var(--line); color: var(--faint); }
.guide .neighbours { display: flex; justify-content: space-between; gap: 1rem; margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); }
@media (min-width: 801px) {
  .guide :not(pre) > code { white-space: nowrap; }
}
@media (max-width: 800px) {
  .guide { display: block; }
  .guide .pages { padding: .5rem 1.25rem; border-bottom: 1px solid var(--line); }
  .guide .pages ul { position: static; display: flex; flex-wrap: wrap; margin: 0 -.6rem; }
  .guide .pages a { padding: .45rem .6rem; }
  .guide main { padding: 1rem 1.25rem 3rem; }
  .guide h1 { font-size: 1.7rem; }
  /* On small screens every row becomes a card, so that tables need no horizontal scrolling. */
  .guide thead { position: absolute; left: -100vw; }
  .guide tr, .guide td { display: block; }
  .guide tr { padding: .5rem 0; border-bottom: 1px solid var(--line); }
  .guide td { padding: .1rem 0; border: 0; }
  .guide td:not(:first-child)::before { content: attr(data-title) ': '; color: var(--faint); }
}
@media (max-width: 560px) {
  .docs-header strong { display: none; }
}
@media print {
  .docs-header, .guide .pages, .guide .neighbours, .guide figcaption button { display: none; }
  .guide { display: block; }
}
`
