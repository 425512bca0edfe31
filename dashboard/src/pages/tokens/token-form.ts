/** The values of the token form, their problems, and the request made of them. */

import type { TokenOnWire } from '../../../../src/contract/accounts/tokens.ts'
import { KINDS, type Kind } from '../../../../src/contract/paths/kinds.ts'
import { pathProblem } from '../../../../src/contract/paths/paths.ts'
import { TOKEN_NAME_MAX, TOKEN_VALID_MAX } from '../../../../src/contract/values/limits.ts'
import { tidyFolder } from '../../ui/forms/folder-list.ts'
import { bytesOf, type TypedSize, typedSize } from '../../ui/forms/sizes.ts'
import { endOfDay, lastDay } from './validity.ts'

/** As typed; empty means that there is no such limit. */
export interface TokenForm {
  name: string
  folder: string
  mayDelete: boolean
  maxFile: TypedSize
  quota: TypedSize
  kinds: readonly Kind[]
  validUntil: string
  maxEdge: string
  /** Place and camera data of pictures; empty: as the setting says. */
  metadata: '' | 'remove' | 'keep'
}

export type Problem =
  | 'nameMissing'
  | 'nameLong'
  | 'folderInvalid'
  | 'noSize'
  | 'noDay'
  | 'dayOver'
  | 'dayFar'
  | 'noEdge'
export type Problems = Partial<Record<keyof TokenForm, Problem>>

type Limits = Pick<
  TokenOnWire,
  | 'name'
  | 'praefix'
  | 'darf_loeschen'
  | 'max_datei'
  | 'kontingent'
  | 'gueltig_bis'
  | 'max_kante'
  | 'exif_entfernen'
> & { arten: Kind[] | null }

export const EMPTY_FORM: TokenForm = {
  name: '',
  folder: '',
  mayDelete: false,
  maxFile: { text: '', unit: 'MB' },
  quota: { text: '', unit: 'GB' },
  kinds: [],
  validUntil: '',
  maxEdge: '',
  metadata: '',
}

export function formOf(token: TokenOnWire, decimal: ',' | '.'): TokenForm {
  return {
    name: token.name,
    folder: tidyFolder(token.praefix ?? ''),
    mayDelete: token.darf_loeschen,
    maxFile: typedSize(token.max_datei, decimal),
    quota: token.kontingent === null ? EMPTY_FORM.quota : typedSize(token.kontingent, decimal),
    kinds: token.arten ?? [],
    validUntil: token.gueltig_bis === null ? '' : lastDay(token.gueltig_bis),
    maxEdge: token.max_kante === null ? '' : String(token.max_kante),
    metadata: token.exif_entfernen === null ? '' : token.exif_entfernen ? 'remove' : 'keep',
  }
}

/** `start`: what the form held at first. A day that is over is wrong only when it was chosen just now. */
export function problemsOf(form: TokenForm, start: TokenForm, now: number): Problems {
  const found: Problems = {}
  const name = form.name.trim()
  if (name === '') found.name = 'nameMissing'
  else if (name.length > TOKEN_NAME_MAX) found.name = 'nameLong'
  const folder = tidyFolder(form.folder)
  // The path must leave room for a file name.
  if (folder !== '' && pathProblem(`${folder}/a.bin`) !== null) found.folder = 'folderInvalid'
  if (bytesOf(form.maxFile) === undefined) found.maxFile = 'noSize'
  if (bytesOf(form.quota) === undefined) found.quota = 'noSize'
  const day = form.validUntil === start.validUntil ? null : dayProblem(form.validUntil, now)
  if (day) found.validUntil = day
  if (edgeOf(form.maxEdge) === undefined) found.maxEdge = 'noEdge'
  return found
}

function dayProblem(day: string, now: number): Problem | null {
  if (day === '') return null
  const end = endOfDay(day)
  if (end === undefined) return 'noDay'
  if (end <= now) return 'dayOver'
  return end > TOKEN_VALID_MAX ? 'dayFar' : null
}

function edgeOf(text: string): number | null | undefined {
  const typed = text.trim()
  if (typed === '') return null
  return /^[1-9]\d{0,8}$/.test(typed) ? Number(typed) : undefined
}

/** The request of a form without problems. */
export function limitsOf(form: TokenForm): Limits {
  const folder = tidyFolder(form.folder)
  const kinds = KINDS.filter(kind => form.kinds.includes(kind))
  return {
    name: form.name.trim(),
    praefix: folder === '' ? null : `${folder}/`,
    darf_loeschen: form.mayDelete,
    max_datei: bytesOf(form.maxFile) ?? null,
    kontingent: bytesOf(form.quota) ?? null,
    // All kinds ticked mean the same as no kind ticked: every kind is allowed.
    arten: kinds.length === 0 || kinds.length === KINDS.length ? null : kinds,
    gueltig_bis: form.validUntil === '' ? null : (endOfDay(form.validUntil) ?? null),
    max_kante: edgeOf(form.maxEdge) ?? null,
    exif_entfernen: form.metadata === '' ? null : form.metadata === 'remove',
  }
}

/**
 * Only what was changed: a moment that was set to the minute elsewhere is not rounded to a day by saving the
 * name.
 */
export function changesOf(form: TokenForm, start: TokenForm): Partial<Limits> {
  const [before, after] = [limitsOf(start), limitsOf(form)]
  const names = Object.keys(after) as (keyof Limits)[]
  const changed = names.filter(name => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  return Object.fromEntries(changed.map(name => [name, after[name]]))
}
