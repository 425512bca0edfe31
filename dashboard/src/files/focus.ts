/** The focus on the files page. Cards and details are found by their attributes in the document. */

/** The id of the element with the details. */
export const DETAILS_ID = 'einzelheiten'

export function focusCard(gallery: HTMLElement | null, id: string | number, options?: FocusOptions): void {
  gallery?.querySelector<HTMLElement>(`[data-file="${CSS.escape(String(id))}"] a`)?.focus(options)
}

/**
 * The id of the focused file. It is read from the DOM, because after a change of page the focused element
 * shows another file.
 */
export const focusedFileId = (gallery: HTMLElement | null) =>
  gallery?.querySelector<HTMLElement>('[data-file]:focus-within')?.dataset.file

export const focusedFolder = (gallery: HTMLElement | null) =>
  gallery?.querySelector<HTMLElement>('[data-folder]:focus-within')?.dataset.folder
