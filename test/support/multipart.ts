/** Multipart bodies written by hand, because `FormData` only makes well-formed ones. */
import { concat } from './bytes.ts'

export interface Part {
  name: string
  filename?: string
  type?: string
  content: Uint8Array | string
}

export const BOUNDARY = 'fundus-test-boundary'
export const MULTIPART = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` }

export function multipart(parts: Part[], boundary = BOUNDARY): Uint8Array<ArrayBuffer> {
  const pieces = parts.flatMap(({ name, filename, type, content }) => {
    const file = filename === undefined ? '' : `; filename="${filename}"`
    const kind = type === undefined ? '' : `Content-Type: ${type}\r\n`
    return [
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n${kind}\r\n`,
      content,
      '\r\n',
    ]
  })
  return concat(...pieces, `--${boundary}--\r\n`)
}

/** The form that a client sends: one file in the field `file`. */
export function fileForm(content: Uint8Array<ArrayBuffer> | string, filename = 'upload.bin'): FormData {
  const form = new FormData()
  form.set('file', new File([content], filename))
  return form
}
