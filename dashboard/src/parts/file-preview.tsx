/** A file as a square: its room is there before its picture is, a chessboard shows through what is transparent. */
import { IconFile, IconFileText, IconMusic, IconPhoto, IconVideo } from '@tabler/icons-react'
import { useState } from 'react'
import type { Kind } from '../../../src/contract/kinds.ts'
import { useFormat, useWords } from '../language/language.tsx'
import classes from './file-preview.module.css'
import { kindWords } from './words.ts'

export const KIND_ICONS = {
  bilder: IconPhoto,
  video: IconVideo,
  audio: IconMusic,
  dokumente: IconFileText,
  sonstige: IconFile,
} as const satisfies Record<Kind, unknown>

export interface FilePreviewProps {
  file: { vorschau: string | null; art: Kind; laenge?: number | undefined }
  /** Pixels of a side; without it, as wide as there is room. */
  size?: number
  /** Small ones in rows carry no badge. */
  plain?: boolean
}

export function FilePreview({ file, size, plain = false }: FilePreviewProps) {
  const kinds = useWords(kindWords)
  const format = useFormat()
  // A preview may not be made yet, or never: then the sign of the kind stands there.
  const [failed, setFailed] = useState<string | null>(null)
  const shown = file.vorschau !== null && failed !== file.vorschau ? file.vorschau : null
  const Sign = KIND_ICONS[file.art]
  return (
    <div className={classes.frame} style={size ? { width: size } : undefined}>
      {shown === null ? (
        <Sign className={classes.sign} stroke={1.25} aria-hidden />
      ) : (
        <img
          className={classes.picture}
          src={shown}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          onError={() => setFailed(shown)}
        />
      )}
      {!plain && file.art !== 'bilder' && (
        <span className={classes.badge}>
          <Sign size={12} aria-hidden />{' '}
          {file.laenge === undefined ? kinds[file.art] : format.length(file.laenge)}
        </span>
      )}
    </div>
  )
}
