/** Formats the addresses of files for a chat, a web page, a forum, or a script of a game server. */

import type { PictureSize } from '../../../../src/contract/files/picture-sizes.ts'
import { FILES_ROUTE, pictureSizeAddress } from '../../../../src/contract/paths/addresses.ts'
import type { Kind } from '../../../../src/contract/paths/kinds.ts'
import { nameOf } from '../../state/paths.ts'
import { type PictureDimensions, uncroppedSizes } from '../../state/picture-sizes.ts'

export const COPY_FORMATS = ['text', 'markdown', 'html', 'bbcode', 'lua'] as const
export type CopyFormat = (typeof COPY_FORMATS)[number]

export interface FileWithAddress extends PictureDimensions {
  path: string
  url: string
  art: Kind
}

export function formatAddresses(format: CopyFormat, files: readonly FileWithAddress[]): string {
  if (format === 'lua') return luaTable(files)
  return files.map(file => ADDRESS_FORMATTERS[format](file)).join('\n')
}

const ADDRESS_FORMATTERS: Readonly<Record<Exclude<CopyFormat, 'lua'>, (file: FileWithAddress) => string>> = {
  text: ({ url }) => url,
  markdown: ({ path, url, art }) => `${art === 'bilder' ? '!' : ''}[${nameOf(path)}](${url})`,
  html: ({ path, url, art }) => htmlElement(nameOf(path), escapeHtml(url), art),
  bbcode: ({ path, url, art }) =>
    art === 'bilder' ? `[img]${url}[/img]` : `[url=${url}]${nameOf(path)}[/url]`,
}

function htmlElement(name: string, url: string, kind: Kind): string {
  if (kind === 'bilder') return `<img src="${url}" alt="${name}">`
  if (kind === 'video') return `<video src="${url}" controls></video>`
  if (kind === 'audio') return `<audio src="${url}" controls></audio>`
  return `<a href="${url}">${name}</a>`
}

/**
 * Only the base of a public address can contain characters that must be escaped: file names consist of
 * letters, digits and `._-`.
 */
const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

function luaTable(files: readonly FileWithAddress[]): string {
  const lines = files.map(({ path, url }) => `  [${luaString(path)}] = ${luaString(url)},\n`)
  return `{\n${lines.join('')}}`
}

const luaString = (text: string) => `"${text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`

/**
 * Whether the service offers the file in picture sizes: it does so for pictures, and for the preview frames
 * of videos.
 */
export const hasPictureSizes = ({ art }: Pick<FileWithAddress, 'art'>) => art === 'bilder' || art === 'video'

/** The public address of the file in this picture size. */
export function addressInSize(size: Pick<PictureSize, 'name'>, { url, path }: FileWithAddress): string {
  const baseAddress = url.slice(0, url.length - path.length - FILES_ROUTE.length)
  return pictureSizeAddress(baseAddress, size.name, path)
}

/**
 * HTML with a `srcset` for each picture, so that the browser chooses among the uncropped picture sizes. Other
 * files, and pictures without such sizes, get plain HTML.
 */
export const responsiveHtml = (files: readonly FileWithAddress[], sizes: readonly PictureSize[]) =>
  files.map(file => responsiveElement(file, sizes)).join('\n')

function responsiveElement(file: FileWithAddress, sizes: readonly PictureSize[]): string {
  const offeredSizes = file.art === 'bilder' ? uncroppedSizes(file, sizes) : []
  const largestSize = offeredSizes.at(-1)
  if (!largestSize) return ADDRESS_FORMATTERS.html(file)
  const escapedAddressIn = (size: { name: string }) => escapeHtml(addressInSize(size, file))
  const srcset = offeredSizes.map(size => `${escapedAddressIn(size)} ${size.width}w`).join(', ')
  const { width, height } = largestSize
  return (
    `<img src="${escapedAddressIn(largestSize)}" srcset="${srcset}" sizes="(max-width: ${width}px) 100vw, ${width}px"` +
    ` width="${width}" height="${height}" alt="${nameOf(file.path)}">`
  )
}
