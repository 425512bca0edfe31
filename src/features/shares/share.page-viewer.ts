/**
 * The viewer of the share page shows one file in the whole window. Its script is inline, and the content
 * security policy allows it by its hash. The script opens only files that the page links to, and writes names
 * as text, never as markup.
 */

import type { SHARE_PAGE_TEXTS } from '../../contract/files/share-page.ts'
import { cspHashSource } from '../../http/answers/content-policy.ts'
import { escapeHtml } from '../../http/answers/html.ts'
import { viewerIcons } from './share.page-icons.ts'

type ViewerTexts = (typeof SHARE_PAGE_TEXTS)['de']['viewer']

/** The dialog of the viewer. It is closed at first, so it stays hidden if the script does not run. */
export function viewerDialog(texts: ViewerTexts): string {
  const button = (action: keyof typeof viewerIcons, label: string) =>
    `<button type="button" data-do="${action}" aria-label="${escapeHtml(label)}" title="${escapeHtml(label)}">${viewerIcons[action]}</button>`
  const textsAttribute = escapeHtml(JSON.stringify(texts))
  return `<dialog id="viewer" aria-label="${escapeHtml(texts.label)}" data-words="${textsAttribute}">
<div class="bar"><p><b id="viewer-name"></b> <span id="viewer-facts"></span></p>${button('zoom', texts.zoom)}${button('copy', texts.copy)}<a id="viewer-save" download aria-label="${escapeHtml(texts.save)}" title="${escapeHtml(texts.save)}">${viewerIcons.save}</a>${button('close', texts.close)}</div>
<div id="viewer-stage" tabindex="-1"></div>
${button('previous', texts.previous)}${button('next', texts.next)}
<p id="viewer-said" role="status"></p>
</dialog>
`
}

export const VIEWER_SCRIPT = `
const viewer = document.getElementById('viewer')
const words = JSON.parse(viewer.dataset.words)
const [stage, title, facts, save, said] = ['stage', 'name', 'facts', 'save', 'said'].map(id =>
  document.getElementById('viewer-' + id))
const button = name => viewer.querySelector('[data-do=' + name + ']')
const links = [...document.querySelectorAll('.files a')]
const nextPageLink = document.querySelector('a[rel=next]')
const OPEN_FIRST_HASH = '#!erste'
/** Minimum number of pixels of a swipe to the side; a downward swipe needs twice as many. */
const SWIPE_PIXELS = 48
let currentIndex = -1
let hasHistoryEntry = false

const element = (name, values) => Object.assign(document.createElement(name), values)
const hashOf = link => '#' + encodeURIComponent(link.dataset.name)
const linkIndexOf = hash => hash === OPEN_FIRST_HASH ? 0 : links.findIndex(link => hashOf(link) === hash)

function noteElement(text, address) {
  const box = element('div', { className: 'note' })
  box.append(element('p', { textContent: text }))
  box.append(element('a', { href: address, className: 'button', textContent: words.open }))
  return box
}

function pictureElement(link) {
  const picture = element('img', { alt: link.dataset.name, decoding: 'async' })
  const preview = link.querySelector('img')
  // The preview is shown until the picture has been loaded.
  if (preview && preview.complete) {
    picture.src = preview.src
    const fullPicture = element('img', { src: link.href })
    fullPicture.decode().then(() => { picture.src = link.href }, () => showFailure(link, picture))
  } else {
    picture.onerror = () => showFailure(link, picture)
    picture.src = link.href
  }
  picture.onclick = () => zoom()
  return picture
}

function showFailure(link, shown) {
  if (shown.isConnected) stage.replaceChildren(noteElement(words.failed, link.href))
}

function contentElement(link) {
  const { kind } = link.dataset
  if (kind === 'bilder') return pictureElement(link)
  if (kind !== 'video' && kind !== 'audio') return noteElement(words.noView, link.href)
  const player = element(kind, { src: link.href, controls: true, playsInline: true, preload: 'metadata' })
  player.onerror = () => showFailure(link, player)
  return player
}

function preload(link) {
  if (link && link.dataset.kind === 'bilder') element('img', { src: link.href })
}

/**
 * Puts the file into the address, so that going back closes the viewer and a link to the file can be sent.
 */
function putIntoAddress(link) {
  if (location.hash === hashOf(link)) return
  if (hasHistoryEntry || viewer.open) history.replaceState(null, '', hashOf(link))
  else {
    history.pushState(null, '', hashOf(link))
    hasHistoryEntry = true
  }
}

function show(index) {
  const link = links[index]
  if (!link) return
  currentIndex = index
  putIntoAddress(link)
  zoom(false)
  stage.replaceChildren(contentElement(link))
  title.textContent = link.querySelector('.name').textContent
  const position = words.position.replace('#', currentIndex + 1).replace('#', links.length)
  facts.textContent = link.querySelector('.facts').textContent + ' · ' + position
  save.href = link.href
  said.textContent = ''
  button('zoom').hidden = link.dataset.kind !== 'bilder'
  button('previous').disabled = currentIndex === 0
  button('next').disabled = currentIndex === links.length - 1 && !nextPageLink
  if (!viewer.open) viewer.showModal()
  if (document.activeElement === document.body || document.activeElement.disabled) stage.focus()
  preload(links[currentIndex + 1])
}

function step(by) {
  if (links[currentIndex + by]) show(currentIndex + by)
  else if (by > 0 && nextPageLink) location.href = nextPageLink.href + OPEN_FIRST_HASH
}

function zoom(wanted = !stage.classList.contains('whole')) {
  stage.classList.toggle('whole', wanted)
  button('zoom').setAttribute('aria-pressed', wanted)
  // Shows the centre of an enlarged picture and not its corner.
  stage.scrollTo((stage.scrollWidth - stage.clientWidth) / 2, (stage.scrollHeight - stage.clientHeight) / 2)
}

function closeViewer() {
  stage.replaceChildren()
  if (viewer.open) viewer.close()
  const link = links[currentIndex]
  currentIndex = -1
  if (link) link.focus()
}

/** Called when a button, key or swipe closes the viewer: goes back to the address before it was opened. */
function goBack() {
  if (hasHistoryEntry) history.back()
  else {
    history.replaceState(null, '', location.pathname + location.search)
    closeViewer()
  }
}

async function copy() {
  const { href } = links[currentIndex]
  try {
    await navigator.clipboard.writeText(href)
  } catch {
    const field = element('textarea', { value: href })
    viewer.append(field)
    field.select()
    document.execCommand('copy')
    field.remove()
  }
  said.textContent = words.copied
}

function togglePlayback() {
  const player = stage.querySelector('video, audio')
  if (!player) return false
  if (player.paused) player.play()
  else player.pause()
  return true
}

const ACTIONS = { close: goBack, previous: () => step(-1), next: () => step(1), zoom: () => zoom(), copy }
const KEYS = {
  ArrowLeft: () => step(-1),
  ArrowRight: () => step(1),
  Home: () => show(0),
  End: () => show(links.length - 1),
  c: copy,
  '+': () => zoom(true),
  '-': () => zoom(false),
}

for (const [index, link] of links.entries())
  link.addEventListener('click', event => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    show(index)
  })
for (const [name, act] of Object.entries(ACTIONS)) button(name).addEventListener('click', act)
viewer.addEventListener('cancel', event => {
  event.preventDefault()
  goBack()
})
viewer.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  // The space bar still activates buttons and the player's own controls.
  const isSpaceFree = event.target === stage || event.target === viewer || event.target.closest('#viewer-stage img')
  if (event.key === ' ' ? isSpaceFree && togglePlayback() : KEYS[event.key]) {
    event.preventDefault()
    if (event.key !== ' ') KEYS[event.key]()
  }
})

let touchStart = null
stage.addEventListener('touchstart', event => {
  touchStart = event.touches.length === 1 && !stage.classList.contains('whole') ? event.touches[0] : null
}, { passive: true })
stage.addEventListener('touchend', event => {
  if (!touchStart) return
  const end = event.changedTouches[0]
  const [across, down] = [end.clientX - touchStart.clientX, end.clientY - touchStart.clientY]
  touchStart = null
  if (Math.abs(across) > SWIPE_PIXELS && Math.abs(across) > Math.abs(down)) step(across < 0 ? 1 : -1)
  else if (down > 2 * SWIPE_PIXELS) goBack()
})

addEventListener('popstate', () => {
  const index = linkIndexOf(location.hash)
  if (index >= 0) return show(index)
  hasHistoryEntry = false
  if (viewer.open) closeViewer()
})
for (const time of document.querySelectorAll('time'))
  time.textContent = new Date(time.dateTime).toLocaleString(time.dataset.locale, { dateStyle: 'long', timeStyle: 'short' })
const initialLink = links[linkIndexOf(location.hash)]
if (initialLink) {
  history.replaceState(null, '', hashOf(initialLink))
  show(links.indexOf(initialLink))
}
`

/** Digest for the content security policy, which allows only this script. */
export const VIEWER_SCRIPT_CSP_SOURCE = cspHashSource(VIEWER_SCRIPT)
