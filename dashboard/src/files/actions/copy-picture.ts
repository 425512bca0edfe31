/** Puts the picture itself on the clipboard, for chats and editors that take no address. */
import { useWords } from '../../language/language.tsx'
import { useContentSources } from '../../ui/files/content.ts'
import { useNotify } from '../../ui/notify.tsx'
import type { FileAnswer } from '../types.ts'
import { actionWords } from '../words.ts'

/** The one type that every browser takes. */
const TYPE = 'image/png'

/** Browsers have a clipboard for pictures only on https and on localhost. */
export const mayCopyPicture = ({ art }: FileAnswer) => art === 'bilder' && typeof ClipboardItem === 'function'

export function useCopyPicture(): (file: FileAnswer) => Promise<void> {
  const w = useWords(actionWords)
  const notify = useNotify()
  const sources = useContentSources()
  return async file => {
    const addresses = [sources.file(file.path), sources.preview(file)].filter(each => each != null)
    try {
      // The promise and not its result: Safari insists on `write` within the key press or click.
      await navigator.clipboard.write([new ClipboardItem({ [TYPE]: pngOf(file, addresses) })])
      notify.done(w.pictureCopied)
    } catch {
      notify.refused(w.pictureNotCopied)
    }
  }
}

/** The first of the addresses that the browser can draw: of a format that it does not know, the preview. */
async function pngOf({ breite, hoehe }: FileAnswer, addresses: readonly string[]): Promise<Blob> {
  const picture = await firstDrawable(addresses)
  const canvas = document.createElement('canvas')
  // An SVG may have no size of its own.
  canvas.width = breite ?? picture.naturalWidth
  canvas.height = hoehe ?? picture.naturalHeight
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve, reject) =>
    canvas.toBlob(blob => (blob ? resolve(blob) : reject(new Error('The picture is too large.'))), TYPE),
  )
}

async function firstDrawable([address, ...others]: readonly string[]): Promise<HTMLImageElement> {
  const picture = new Image()
  // `FILES_HOST` is another origin, which would taint the canvas.
  picture.crossOrigin = 'anonymous'
  picture.src = address ?? ''
  try {
    await picture.decode()
    return picture
  } catch (error) {
    if (others.length === 0) throw error
    return firstDrawable(others)
  }
}
