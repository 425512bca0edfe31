/** The selected files, by id and with the file itself: the selection outlives a page turn and a rename. */
import type { FileAnswer } from '../../../../../src/contract/library.ts'

export interface Selection {
  readonly chosen: ReadonlyMap<string, FileAnswer>
  /** Where a range begins: the file that was chosen last by itself. */
  readonly anchor: string | null
}

export const NOTHING: Selection = { chosen: new Map(), anchor: null }

const mapOf = (files: Iterable<FileAnswer>) => new Map([...files].map(file => [file.id, file]))

/** All files of the page. */
export const allOf = (files: readonly FileAnswer[]): Selection => ({ chosen: mapOf(files), anchor: null })

/** A click. */
export const only = (file: FileAnswer): Selection => ({ chosen: mapOf([file]), anchor: file.id })

/** Ctrl or Cmd and a click, a tap while something is chosen, the box of a card. */
export function toggle({ chosen }: Selection, file: FileAnswer): Selection {
  const next = new Map(chosen)
  if (!next.delete(file.id)) next.set(file.id, file)
  return { chosen: next, anchor: file.id }
}

/** Shift and a click: all files from the anchor to this one; with Ctrl in addition to the former selection. */
export function rangeTo(
  { chosen, anchor }: Selection,
  files: readonly FileAnswer[],
  to: string,
  keep = false,
): Selection {
  const end = files.findIndex(({ id }) => id === to)
  if (end < 0) return { chosen, anchor }
  const found = files.findIndex(({ id }) => id === anchor)
  const start = found < 0 ? end : found
  const between = files.slice(Math.min(start, end), Math.max(start, end) + 1)
  return {
    chosen: new Map([...(keep ? chosen : []), ...mapOf(between)]),
    anchor: files[start]?.id ?? null,
  }
}

/** Selects all files of the page in addition to other pages; when all are selected already, deselects them. */
export function toggleAll({ chosen, anchor }: Selection, files: readonly FileAnswer[]): Selection {
  const next = new Map(chosen)
  const complete = files.every(({ id }) => chosen.has(id))
  for (const file of files) {
    if (complete) next.delete(file.id)
    else next.set(file.id, file)
  }
  return { chosen: next, anchor }
}

/** Ctrl+A: all files of the page in addition to other pages. */
export const withAll = ({ chosen, anchor }: Selection, files: readonly FileAnswer[]): Selection => ({
  chosen: new Map([...chosen, ...mapOf(files)]),
  anchor,
})

/** The rubber band: the touched files, and with `keep` also the selection from before it began. */
export function banded(before: Selection, touched: readonly FileAnswer[], keep: boolean): Selection {
  return {
    chosen: new Map([...(keep ? before.chosen : []), ...mapOf(touched)]),
    anchor: touched[0]?.id ?? before.anchor,
  }
}

export function without({ chosen, anchor }: Selection, gone: ReadonlySet<string>): Selection {
  return { chosen: mapOf([...chosen.values()].filter(({ path }) => !gone.has(path))), anchor }
}

/** The selection with the newest fields of its files; the same object when nothing is new. */
export function refreshed(selection: Selection, files: readonly FileAnswer[]): Selection {
  const changed = files.filter(file => {
    const known = selection.chosen.get(file.id)
    return known !== undefined && known !== file
  })
  if (changed.length === 0) return selection
  const next = new Map(selection.chosen)
  for (const file of changed) next.set(file.id, file)
  return { ...selection, chosen: next }
}
