/** Builds the rows of the preview from the answer to a dry run. Rows with a conflict are first. */

export interface ReplaceAnswer {
  treffer: readonly { von: string; nach: string; abrufe: number }[]
  konflikte: readonly { von: string; nach: string; grund: string; code: string }[]
}

export interface PreviewRow {
  from: string
  to: string
  /** Null if there is no conflict. */
  conflict: { grund: string; code: string } | null
}

export interface ReplacePreviewData {
  rows: readonly PreviewRow[]
  conflictCount: number
  /** The total number of retrievals so far of all files whose path matches the search. */
  retrievalCount: number
}

export function createPreview({ treffer, konflikte }: ReplaceAnswer): ReplacePreviewData {
  const conflictByPath = new Map(konflikte.map(conflict => [conflict.von, conflict]))
  const rows = treffer.map(({ von, nach }) => ({
    from: von,
    to: nach,
    conflict: conflictByPath.get(von) ?? null,
  }))
  return {
    rows: [...rows.filter(row => row.conflict !== null), ...rows.filter(row => row.conflict === null)],
    conflictCount: konflikte.length,
    retrievalCount: treffer.reduce((sum, { abrufe }) => sum + abrufe, 0),
  }
}
