/** Addresses formatted for a chat, a web page, a forum, or a game server's script. */
import type { Kind } from '../../../../src/contract/paths/kinds.ts'
import { nameOf } from '../../state/paths.ts'

export const COPY_FORMS = ['text', 'markdown', 'html', 'bbcode', 'lua'] as const
export type CopyForm = (typeof COPY_FORMS)[number]

export interface FileWithAddress {
  path: string
  url: string
  art: Kind
}

export function copyText(form: CopyForm, files: readonly FileWithAddress[]): string {
  if (form === 'lua') return luaTable(files)
  return files.map(file => LINES[form](file)).join('\n')
}

const LINES: Readonly<Record<Exclude<CopyForm, 'lua'>, (file: FileWithAddress) => string>> = {
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

/** Names consist of letters, digits and `._-`; only the public address may hold more. */
const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

function luaTable(files: readonly FileWithAddress[]): string {
  const lines = files.map(({ path, url }) => `  [${luaString(path)}] = ${luaString(url)},\n`)
  return `{\n${lines.join('')}}`
}

const luaString = (text: string) => `"${text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`
