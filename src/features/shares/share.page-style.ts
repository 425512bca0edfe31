/** The style of the share page. It uses the dashboard's colours, radii and spacing, in light and dark. */
import { cspHashSource } from '../../http/answers/content-policy.ts'

export const SHARE_PAGE_STYLE = `
:root { color-scheme: light dark; --ground: light-dark(#f5f6f8, #131517); --body: light-dark(#fff, #1b1d20); --text: light-dark(#16181a, #d9dde2);
  --quiet: light-dark(#5a626b, #a9b0b8); --line: light-dark(#dfe3e8, #32363b); --hover: light-dark(#eceff3, #272a2e); --chess: light-dark(#e6e9ed, #26292d);
  --accent: light-dark(#1c5fb0, #7db4f5) }
* { box-sizing: border-box }
body { margin: 0; font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; color: var(--text); background: var(--ground) }
header { background: var(--body); border-bottom: 1px solid var(--line) }
header > div, main, .pages { max-width: 1280px; margin: 0 auto; padding: 16px 24px }
header p { margin: 0; font-size: 14px; color: var(--quiet) }
.way ol { display: flex; flex-wrap: wrap; margin: 0; padding: 0; list-style: none; font-size: 14px; overflow-wrap: anywhere } .way li::after { content: "/"; margin: 0 8px; color: var(--quiet) } .way a { display: inline-block; padding: 4px 0 }
.button { display: inline-flex; align-items: center; min-height: 44px; padding: 8px 20px; border-radius: 8px; color: #fff; background: light-dark(#1c5fb0, #2b6cbb); text-decoration: none }
.zip { margin-top: 12px } .zip small { margin-left: 8px }
h1 { margin: 0; font-size: 24px; line-height: 1.3; overflow-wrap: anywhere }
h2 { display: flex; align-items: center; gap: 8px; margin: 24px 0 12px; font-size: 16px; overflow-wrap: anywhere; scroll-margin-top: 16px }
h2 small { flex: none; font-weight: 400; font-size: 14px; color: var(--quiet) }
a { color: var(--accent) } a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 8px }
ul { list-style: none; margin: 0; padding: 0 }
svg { flex: none; fill: none; stroke: currentColor; stroke-width: 1.5; stroke-linecap: round; stroke-linejoin: round }
.folders { display: flex; flex-wrap: wrap; gap: 8px; margin: 8px 0 0 }
.folders a { display: flex; align-items: center; gap: 8px; padding: 8px 12px; border: 1px solid var(--line); border-radius: 8px; background: var(--body); color: inherit; font-size: 14px; text-decoration: none; overflow-wrap: anywhere }
.folders a:hover { background: var(--hover) }
.files { display: grid; gap: 16px; grid-template-columns: repeat(auto-fill, minmax(min(44%, 168px), 1fr)) }
.files a { display: flex; flex-direction: column; gap: 2px; color: inherit; font-size: 14px; text-decoration: none }
.files a:hover .name { text-decoration: underline }
.picture { position: relative; display: grid; place-items: center; aspect-ratio: 1; margin-bottom: 4px; border-radius: 8px; overflow: hidden; background: var(--hover); color: var(--quiet) }
.picture img { position: absolute; inset: 0; margin: auto; max-width: 100%; max-height: 100%; background: conic-gradient(var(--chess) 25%, transparent 0 50%, var(--chess) 0 75%, transparent 0) 0 0 / 16px 16px var(--body) }
.badge { position: absolute; left: 8px; bottom: 8px; padding: 2px 8px; border-radius: 8px; font-size: 12px; line-height: 16px; color: #fff; background: rgb(0 0 0 / 72%) }
.name { overflow-wrap: anywhere } .facts { font-size: 12px; color: var(--quiet) }
.nothing { padding: 64px 0; text-align: center; color: var(--quiet) }
.pages { display: flex; gap: 8px; padding-bottom: 64px }
.onward { justify-content: center; margin-top: -32px }
.pages a { padding: 8px 16px; border: 1px solid var(--line); border-radius: 8px; background: var(--body); font-size: 14px; text-decoration: none }
.pages a:hover { background: var(--hover) }
.pages a[rel=next] { color: #fff; border-color: transparent; background: light-dark(#1c5fb0, #2b6cbb) }
#viewer { width: 100vw; height: 100vh; height: 100dvh; max-width: none; max-height: none; margin: 0; padding: 0; border: 0; overflow: hidden; color: #f1f3f5; background: #0f1112; color-scheme: dark }
#viewer[open] { display: grid; grid-template: auto minmax(0, 1fr) / minmax(0, 1fr) }
#viewer .bar { display: flex; align-items: center; gap: 4px; padding: 4px 8px 4px 16px }
#viewer .bar p { flex: 1; min-width: 0; margin: 0; font-size: 14px; line-height: 20px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap } #viewer-facts { color: #a9b0b8 }
#viewer button, #viewer-save { display: grid; place-items: center; flex: none; width: 48px; height: 48px; padding: 0; border: 0; border-radius: 8px; color: inherit; background: transparent; cursor: pointer }
#viewer button:hover, #viewer-save:hover, #viewer button[aria-pressed=true] { background: #2b2f33 } #viewer button[hidden] { display: none } #viewer :focus-visible { outline: 2px solid #7db4f5; outline-offset: -2px } #viewer-stage:focus-visible { outline: 0 }
#viewer [data-do=previous], #viewer [data-do=next] { position: absolute; top: calc(50% - 24px); background: rgb(15 17 18 / 60%) } #viewer [data-do=previous] { left: 8px } #viewer [data-do=next] { right: 8px } #viewer button:disabled { visibility: hidden }
#viewer-stage { display: grid; grid-template: minmax(0, 1fr) / minmax(0, 1fr); place-items: center; min-height: 0; overflow: hidden; touch-action: pan-y pinch-zoom }
#viewer-stage > img, #viewer-stage > video { width: 100%; height: 100%; object-fit: scale-down; cursor: zoom-in } #viewer-stage > video { object-fit: contain; cursor: auto } #viewer-stage > audio { width: min(560px, 90%) }
#viewer-stage.whole { grid-template: auto / auto; overflow: auto; place-items: safe center; touch-action: auto } #viewer-stage.whole > img { width: auto; height: auto; cursor: zoom-out }
#viewer .note { padding: 16px; text-align: center } #viewer-said { position: absolute; inset: auto 0 24px; margin: auto; width: fit-content; padding: 8px 16px; border-radius: 8px; background: #2b2f33 } #viewer-said:empty { display: none }
@media (max-width: 48em) { header > div, main, .pages { padding: 16px } .files { gap: 12px } }
`

/** Digest for the content security policy, which allows only this style. */
export const STYLE_CSP_SOURCE = cspHashSource(SHARE_PAGE_STYLE)
