/**
 * The page of a shared folder. Without script it is a list of links with previews; the script adds a viewer.
 */
import { SHARE_PAGE_WORDS } from '../../contract/files/share-page.ts'
import { SHARE_ZIP_SUFFIX, shareAddress } from '../../contract/files/shares.ts'
import { nameOf, splitPath } from '../../contract/paths/paths.ts'
import { formatBytes } from '../../contract/values/bytes.ts'
import { formatLength } from '../../contract/values/length.ts'
import { SHARE_ZIP_MAX_BYTES, SHARE_ZIP_MAX_FILES } from '../../contract/values/limits.ts'
import { escapeHtml } from '../../http/answers/html.ts'
import type { PageLanguage } from '../../http/answers/language.ts'
import type { FolderFigures } from '../folders/folders.store.ts'
import { emptyNote, frame, linkTo } from './page-frame.ts'
import { folderIcon, kindIcon } from './share.page-icons.ts'
import { VIEWER_SCRIPT, viewerDialog } from './share.page-viewer.ts'
import type { PagedFile, SharedPage } from './shared-files.ts'

/** Query parameters: the subfolder that is shown, and the name of the file after which the page begins. */
export const FOLDER_PARAMETER = 'ordner'
export const AFTER_PARAMETER = 'nach'

/** Subfolders shown as links; any others are reached by the headings of the list. */
const FOLDERS_SHOWN = 1000

export interface PageView {
  key: string
  publicUrl: string
  language: PageLanguage
  /** The shared folder. */
  folder: string
  /** The subfolder that is shown, as a path below the shared one; empty: the shared folder itself. */
  below: string
  service: string
  validUntil: number | null
  /** Figures of all files in the folder that is shown, subfolders included. */
  figures: FolderFigures
  /** The folders directly in the folder that is shown. */
  folders: readonly ({ name: string } & FolderFigures)[]
  page: SharedPage
  /** True on every page but the first. */
  further: boolean
}

export function sharePage(view: PageView): string {
  const { folder, below, service, language, page, further } = view
  const words = SHARE_PAGE_WORDS[language]
  const heading = words.heading(below === '' ? folder : nameOf(below))
  const groups = groupsOf(page.files)
  const files = groups.map((group, at) => section(view, group, at, groups.length > 1)).join('\n')
  return frame({
    language,
    title: `${heading} – ${service}`,
    head: linkPreview(view, heading),
    header: `${way(view)}<h1>${escapeHtml(heading)}</h1>\n<p>${escapeHtml(noteOf(view))}${endOf(view)}</p>${zipLink(view)}`,
    main: `${page.files.length === 0 ? emptyNote(further ? words.nothingMore : words.empty) : ''}${further ? '' : subfolders(view)}${files}`,
    after: `${further || page.more ? pages(view) : ''}${viewerDialog(words.viewer)}`,
    script: VIEWER_SCRIPT,
  })
}

const LOCALES = { de: 'de-DE', en: 'en-GB' } as const

const figuresOf = ({ language, figures }: PageView) =>
  `${SHARE_PAGE_WORDS[language].files(figures.files)}, ${formatBytes(figures.bytes, language)}`

function noteOf(view: PageView): string {
  const by = SHARE_PAGE_WORDS[view.language].by(view.service)
  return view.figures.files > 0 ? `${by} · ${figuresOf(view)}` : by
}

/** The end of the link as HTML. The script shows this time in the visitor's time zone. */
function endOf({ language, validUntil }: PageView): string {
  if (validUntil === null) return ''
  const locale = LOCALES[language]
  const end = new Date(validUntil)
  const text = end.toLocaleString(locale, { dateStyle: 'long', timeStyle: 'short' })
  const time = `<time datetime="${end.toISOString()}" data-locale="${locale}">${escapeHtml(text)}</time>`
  return ` · ${SHARE_PAGE_WORDS[language].until(time)}`
}

/** Title and picture for the preview that a chat makes of the link (Open Graph). */
function linkPreview(view: PageView, heading: string): string {
  const { service, publicUrl, key, language, page } = view
  const picture = (
    page.files.find(({ art, preview }) => art === 'bilder' && preview) ??
    page.files.find(({ preview }) => preview)
  )?.preview
  const properties = {
    'og:type': 'website',
    'og:site_name': service,
    'og:title': heading,
    'og:description': noteOf(view),
    'og:url': shareAddress(publicUrl, key),
    'og:locale': LOCALES[language].replace('-', '_'),
    ...(picture && { 'og:image': picture, 'og:image:alt': heading }),
  }
  const lines = Object.entries(properties).map(
    ([name, value]) => `<meta property="${name}" content="${escapeHtml(value)}">\n`,
  )
  return `${lines.join('')}<meta name="twitter:card" content="${picture ? 'summary_large_image' : 'summary'}">\n`
}

/** An address of this page: relative, so that the host is the one that the visitor uses. */
function addressOf(values: Readonly<Record<string, string>>): string {
  return `?${new URLSearchParams(Object.entries(values).filter(([, value]) => value !== ''))}`
}

const folderAddress = (below: string) => addressOf({ [FOLDER_PARAMETER]: below })

/**
 * Links to the folders above the one that is shown, up to the shared folder. No folder above the shared one
 * is named.
 */
function way({ folder, below, language }: PageView): string {
  if (below === '') return ''
  const above = below.split('/').slice(0, -1)
  const links = [
    linkTo('?', nameOf(folder)),
    ...above.map((name, at) => linkTo(folderAddress(above.slice(0, at + 1).join('/')), name)),
  ]
  const items = links.map(link => `<li>${link}</li>`).join('')
  return `<nav class="way" aria-label="${SHARE_PAGE_WORDS[language].way}"><ol>${items}</ol></nav>\n`
}

function zipLink({ key, below, language, figures: { files, bytes } }: PageView): string {
  const words = SHARE_PAGE_WORDS[language]
  if (files === 0) return ''
  if (files > SHARE_ZIP_MAX_FILES || bytes > SHARE_ZIP_MAX_BYTES) {
    const most = SHARE_ZIP_MAX_FILES.toLocaleString(LOCALES[language])
    return `\n<p>${escapeHtml(words.tooLargeForZip(most, formatBytes(SHARE_ZIP_MAX_BYTES, language)))}</p>`
  }
  // Relative to `/s/<key>`.
  const address = `${key}${SHARE_ZIP_SUFFIX}${below === '' ? '' : folderAddress(below)}`
  return `\n<p class="zip">${linkTo(address, words.zip, ' class="button"')} <small>${escapeHtml(formatBytes(bytes, language))}</small></p>`
}

function subfolders({ folders, below, language }: PageView): string {
  if (folders.length === 0) return ''
  const words = SHARE_PAGE_WORDS[language]
  const items = folders
    .slice(0, FOLDERS_SHOWN)
    .map(
      ({ name, files }) =>
        `<li><a href="${escapeHtml(folderAddress(below === '' ? name : `${below}/${name}`))}">${folderIcon()}<span>${escapeHtml(name)}</span> <small>${words.files(files)}</small></a></li>`,
    )
  return `<nav aria-label="${words.folders}"><ul class="folders">${items.join('')}</ul></nav>\n`
}

interface Group {
  /** Path below the folder that is shown; empty for that folder itself. */
  folder: string
  files: PagedFile[]
}

/** Groups files by folder: first the folder that is shown, then each subfolder. */
function groupsOf(files: readonly PagedFile[]): Group[] {
  const groups = new Map<string, Group>()
  for (const file of files) {
    const folder = splitPath(file.name).folder
    const group = groups.get(folder) ?? { folder, files: [] }
    group.files.push(file)
    groups.set(folder, group)
  }
  return [...groups.values()].sort((a, b) => (a.folder < b.folder ? -1 : 1))
}

function section(view: PageView, { folder, files }: Group, at: number, hasOthers: boolean): string {
  const { language, below } = view
  const words = SHARE_PAGE_WORDS[language]
  const title =
    folder === ''
      ? escapeHtml(words.inFolderItself)
      : linkTo(folderAddress(below === '' ? folder : `${below}/${folder}`), folder)
  const shown = hasOthers || folder !== ''
  const heading = `<h2 id="o${at}">${folderIcon()}<span>${title}</span> <small>${words.files(files.length)}</small></h2>\n`
  const cards = files.map(file => card(file, language)).join('\n')
  return `<section>\n${shown ? heading : ''}<ul class="files">\n${cards}\n</ul>\n</section>`
}

function card(file: PagedFile, language: PageLanguage): string {
  const words = SHARE_PAGE_WORDS[language]
  const picture = file.preview
    ? `<img src="${escapeHtml(file.preview)}" alt="" loading="lazy" decoding="async">`
    : kindIcon(file.art)
  const length =
    file.laenge === null ? '' : `<span class="badge">${words.length} ${formatLength(file.laenge)}</span>`
  const facts = [words.kinds[file.art], formatBytes(file.size, language)].join(' · ')
  return `<li><a href="${escapeHtml(file.url)}" data-kind="${file.art}" data-name="${escapeHtml(file.name)}"><span class="picture">${picture}${length}</span><span class="name">${escapeHtml(nameOf(file.name))}</span><span class="facts">${escapeHtml(facts)}</span></a></li>`
}

function pages({ language, below, page: { files, more }, further }: PageView): string {
  const words = SHARE_PAGE_WORDS[language]
  const last = files.at(-1)
  const next =
    more && last
      ? linkTo(
          addressOf({ [FOLDER_PARAMETER]: below, [AFTER_PARAMETER]: last.name }),
          words.more,
          ' rel="next"',
        )
      : ''
  const start = further ? linkTo(folderAddress(below), words.start, ' rel="first"') : ''
  return `<nav class="pages" aria-label="${words.pages}">${next}${start}</nav>`
}
