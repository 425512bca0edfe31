/**
 * The page of a shared folder. Without JavaScript it is a list of links with previews; the script adds a
 * viewer.
 */

import { SHARE_PAGE_TEXTS } from '../../contract/files/share-page.ts'
import { SHARE_ZIP_SUFFIX } from '../../contract/files/shares.ts'
import { shareAddress } from '../../contract/paths/addresses.ts'
import { nameOf, pathBelow, splitPath } from '../../contract/paths/path-parts.ts'
import { formatBytes } from '../../contract/values/bytes.ts'
import { SHARE_ZIP_MAX_BYTES, SHARE_ZIP_MAX_FILES } from '../../contract/values/input-limits.ts'
import { formatDuration } from '../../contract/values/length.ts'
import { LOCALES } from '../../contract/words/both-languages.ts'
import { escapeHtml } from '../../http/answers/html.ts'
import type { PageLanguage } from '../../http/answers/language.ts'
import type { FolderTotals } from '../folders/folders.store.ts'
import { linkHtml, messageHtml, renderPageFrame, timeHtml } from './page-frame.ts'
import { folderIcon, kindIcon } from './share.page-icons.ts'
import { VIEWER_SCRIPT, viewerDialog } from './share.page-viewer.ts'
import type { PagedFile, SharedFilesPage } from './shared-files.ts'

/** Query parameter: the subfolder that is shown. */
export const FOLDER_PARAMETER = 'ordner'
/** Query parameter: the name of the file after which the page begins. */
export const AFTER_PARAMETER = 'nach'

/**
 * Maximum number of subfolders shown as links. The others can be reached through the headings in the list of
 * files.
 */
const MAX_FOLDERS_SHOWN = 1000

export interface SharePageView {
  shareKey: string
  publicUrl: string
  language: PageLanguage
  /** The shared folder. */
  folder: string
  /** The subfolder that is shown, as a path below the shared one; empty: the shared folder itself. */
  subfolder: string
  serviceName: string
  validUntil: number | null
  /** Number and bytes of all files in the folder that is shown, subfolders included. */
  totals: FolderTotals
  /** The folders directly in the folder that is shown. */
  folders: readonly ({ name: string } & FolderTotals)[]
  page: SharedFilesPage
  /** Whether this is not the first page of the list. */
  isLaterPage: boolean
}

export function sharePage(view: SharePageView): string {
  const { folder, subfolder, serviceName, language, page, isLaterPage } = view
  const texts = SHARE_PAGE_TEXTS[language]
  const heading = texts.heading(subfolder === '' ? folder : nameOf(subfolder))
  const folderGroups = groupByFolder(page.files)
  const sections = folderGroups
    .map((group, index) => sectionHtml(view, group, index, folderGroups.length > 1))
    .join('\n')
  return renderPageFrame({
    language,
    title: `${heading} – ${serviceName}`,
    head: linkPreviewHtml(view, heading),
    header: `${breadcrumbsHtml(view)}<h1>${escapeHtml(heading)}</h1>\n<p>${escapeHtml(descriptionOf(view))}${expiryHtml(view)}</p>${zipLinkHtml(view)}`,
    main: `${page.files.length === 0 ? messageHtml(isLaterPage ? texts.noMoreFiles : texts.noFilesInFolder) : ''}${isLaterPage ? '' : subfoldersHtml(view)}${sections}`,
    afterMain: `${isLaterPage || page.hasMore ? pageLinksHtml(view) : ''}${viewerDialog(texts.viewer)}`,
    script: VIEWER_SCRIPT,
  })
}

const totalsText = ({ language, totals }: SharePageView) =>
  `${SHARE_PAGE_TEXTS[language].fileCount(totals.files)}, ${formatBytes(totals.bytes, language)}`

function descriptionOf(view: SharePageView): string {
  const sharedByText = SHARE_PAGE_TEXTS[view.language].sharedBy(view.serviceName)
  return view.totals.files > 0 ? `${sharedByText} · ${totalsText(view)}` : sharedByText
}

/** The time at which the link expires, as HTML; empty if it does not expire. */
const expiryHtml = ({ language, validUntil }: SharePageView) =>
  validUntil === null ? '' : ` · ${SHARE_PAGE_TEXTS[language].availableUntil(timeHtml(validUntil, language))}`

/** Title, description and picture for the preview that a chat makes of the link (Open Graph). */
function linkPreviewHtml(view: SharePageView, heading: string): string {
  const { serviceName, publicUrl, shareKey, language, page } = view
  const pictureAddress = (
    page.files.find(({ art, preview }) => art === 'bilder' && preview) ??
    page.files.find(({ preview }) => preview)
  )?.preview
  const properties = {
    'og:type': 'website',
    'og:site_name': serviceName,
    'og:title': heading,
    'og:description': descriptionOf(view),
    'og:url': shareAddress(publicUrl, shareKey),
    'og:locale': LOCALES[language].replace('-', '_'),
    ...(pictureAddress && { 'og:image': pictureAddress, 'og:image:alt': heading }),
  }
  const metaTags = Object.entries(properties).map(
    ([name, value]) => `<meta property="${name}" content="${escapeHtml(value)}">\n`,
  )
  return `${metaTags.join('')}<meta name="twitter:card" content="${pictureAddress ? 'summary_large_image' : 'summary'}">\n`
}

/**
 * An address of the share page with these query parameters. It is relative, so that the visitor stays on the
 * same host.
 */
function relativeAddress(parameters: Readonly<Record<string, string>>): string {
  return `?${new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== ''))}`
}

const folderAddress = (subfolder: string) => relativeAddress({ [FOLDER_PARAMETER]: subfolder })

/**
 * Links to the folders above the one that is shown, beginning with the shared folder. Folders above the
 * shared folder are not revealed, so the result for the shared folder itself is empty.
 */
function breadcrumbsHtml({ folder, subfolder, language }: SharePageView): string {
  if (subfolder === '') return ''
  const parentNames = subfolder.split('/').slice(0, -1)
  const links = [
    linkHtml('?', nameOf(folder)),
    ...parentNames.map((name, index) =>
      linkHtml(folderAddress(parentNames.slice(0, index + 1).join('/')), name),
    ),
  ]
  const items = links.map(link => `<li>${link}</li>`).join('')
  return `<nav class="way" aria-label="${SHARE_PAGE_TEXTS[language].parentFolders}"><ol>${items}</ol></nav>\n`
}

function zipLinkHtml({ shareKey, subfolder, language, totals: { files, bytes } }: SharePageView): string {
  const texts = SHARE_PAGE_TEXTS[language]
  if (files === 0) return ''
  if (files > SHARE_ZIP_MAX_FILES || bytes > SHARE_ZIP_MAX_BYTES) {
    const maxFiles = SHARE_ZIP_MAX_FILES.toLocaleString(LOCALES[language])
    return `\n<p>${escapeHtml(texts.tooLargeForZip(maxFiles, formatBytes(SHARE_ZIP_MAX_BYTES, language)))}</p>`
  }
  // The address is relative to `/s/<key>`.
  const address = `${shareKey}${SHARE_ZIP_SUFFIX}${subfolder === '' ? '' : folderAddress(subfolder)}`
  return `\n<p class="zip">${linkHtml(address, texts.downloadAsZip, ' class="button"')} <small>${escapeHtml(formatBytes(bytes, language))}</small></p>`
}

function subfoldersHtml({ folders, subfolder, language }: SharePageView): string {
  if (folders.length === 0) return ''
  const texts = SHARE_PAGE_TEXTS[language]
  const items = folders
    .slice(0, MAX_FOLDERS_SHOWN)
    .map(
      ({ name, files }) =>
        `<li><a href="${escapeHtml(folderAddress(pathBelow(subfolder, name)))}">${folderIcon()}<span>${escapeHtml(name)}</span> <small>${texts.fileCount(files)}</small></a></li>`,
    )
  return `<nav aria-label="${texts.subfolders}"><ul class="folders">${items.join('')}</ul></nav>\n`
}

interface FolderGroup {
  /** Path below the folder that is shown; empty for that folder itself. */
  folder: string
  files: PagedFile[]
}

/** Groups files by folder: first the folder that is shown, then each subfolder. */
function groupByFolder(files: readonly PagedFile[]): FolderGroup[] {
  const groups = new Map<string, FolderGroup>()
  for (const file of files) {
    const folder = splitPath(file.name).folder
    const group = groups.get(folder) ?? { folder, files: [] }
    group.files.push(file)
    groups.set(folder, group)
  }
  return [...groups.values()].sort((a, b) => (a.folder < b.folder ? -1 : 1))
}

function sectionHtml(
  view: SharePageView,
  { folder, files }: FolderGroup,
  index: number,
  hasOtherGroups: boolean,
): string {
  const { language, subfolder } = view
  const texts = SHARE_PAGE_TEXTS[language]
  const title =
    folder === ''
      ? escapeHtml(texts.inFolderItself)
      : linkHtml(folderAddress(pathBelow(subfolder, folder)), folder)
  const hasHeading = hasOtherGroups || folder !== ''
  const heading = `<h2 id="o${index}">${folderIcon()}<span>${title}</span> <small>${texts.fileCount(files.length)}</small></h2>\n`
  const cards = files.map(file => cardHtml(file, language)).join('\n')
  return `<section>\n${hasHeading ? heading : ''}<ul class="files">\n${cards}\n</ul>\n</section>`
}

function cardHtml(file: PagedFile, language: PageLanguage): string {
  const texts = SHARE_PAGE_TEXTS[language]
  const pictureHtml = file.preview
    ? `<img src="${escapeHtml(file.preview)}" alt="" loading="lazy" decoding="async">`
    : kindIcon(file.art)
  const lengthBadge =
    file.laenge === null
      ? ''
      : `<span class="badge">${texts.lengthLabel} ${formatDuration(file.laenge)}</span>`
  const detailsText = [texts.kinds[file.art], formatBytes(file.size, language)].join(' · ')
  return `<li><a href="${escapeHtml(file.url)}" data-kind="${file.art}" data-name="${escapeHtml(file.name)}"><span class="picture">${pictureHtml}${lengthBadge}</span><span class="name">${escapeHtml(nameOf(file.name))}</span><span class="facts">${escapeHtml(detailsText)}</span></a></li>`
}

function pageLinksHtml({
  language,
  subfolder,
  page: { files, hasMore },
  isLaterPage,
}: SharePageView): string {
  const texts = SHARE_PAGE_TEXTS[language]
  const lastFile = files.at(-1)
  const nextLink =
    hasMore && lastFile
      ? linkHtml(
          relativeAddress({ [FOLDER_PARAMETER]: subfolder, [AFTER_PARAMETER]: lastFile.name }),
          texts.moreFiles,
          ' rel="next"',
        )
      : ''
  const startLink = isLaterPage ? linkHtml(folderAddress(subfolder), texts.backToStart, ' rel="first"') : ''
  return `<nav class="pages" aria-label="${texts.pageNavigation}">${nextLink}${startLink}</nav>`
}
