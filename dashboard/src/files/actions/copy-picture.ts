/** Copies a picture itself to the clipboard, for chats and editors that do not accept an address. */
import { useWords } from '../../language/language.tsx'
import { useContentSources } from '../../ui/files/content.ts'
import { useNotify } from '../../ui/notify.tsx'
import type { FileAnswer } from '../types.ts'
import { actionWords } from '../words.ts'

/** The only image type that every browser accepts in the clipboard. */
const PNG_TYPE = 'image/png'

/**
 * Whether the file is a picture and this browser can copy it: browsers offer `ClipboardItem` only on https
 * and on localhost.
 */
export const canCopyPicture = ({ art }: FileAnswer) => art === 'bilder' && typeof ClipboardItem === 'function'

export function useCopyPicture(): (file: FileAnswer) => Promise<void> {
  const w = useWords(actionWords)
  const notify = useNotify()
  const sources = useContentSources()
  return async file => {
    const addresses = [sources.addressOfFile(file.path), sources.addressOfPreview(file)].filter(
      address => address != null,
    )
    try {
      // The clipboard gets the promise and not its result, because Safari requires `write` to be called
      // during the key press or click.
      await navigator.clipboard.write([new ClipboardItem({ [PNG_TYPE]: convertToPng(file, addresses) })])
      notify.showSuccess(w.pictureCopied)
    } catch {
      notify.showRefusal(w.pictureNotCopied)
    }
  }
}

/**
 * Draws the picture and converts it to PNG. `addresses` are tried in order until the browser can draw one:
 * first the file itself, then its preview.
 */
async function convertToPng({ breite, hoehe }: FileAnswer, addresses: readonly string[]): Promise<Blob> {
  const picture = await loadFirstDrawablePicture(addresses)
  const canvas = document.createElement('canvas')
  // The dimensions that the service knows come first, because an SVG may have no size of its own.
  canvas.width = breite ?? picture.naturalWidth
  canvas.height = hoehe ?? picture.naturalHeight
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve, reject) =>
    canvas.toBlob(blob => (blob ? resolve(blob) : reject(new Error('The picture is too large.'))), PNG_TYPE),
  )
}

async function loadFirstDrawablePicture([
  address,
  ...furtherAddresses
]: readonly string[]): Promise<HTMLImageElement> {
  const picture = new Image()
  // Without this attribute, a picture from another origin (`FILES_HOST`) would taint the canvas, which could
  // then not be read.
  picture.crossOrigin = 'anonymous'
  picture.src = address ?? ''
  try {
    await picture.decode()
    return picture
  } catch (error) {
    if (furtherAddresses.length === 0) throw error
    return loadFirstDrawablePicture(furtherAddresses)
  }
}
