/**
 * The preview of a file, or an icon if there is none. The frame is a square or has the shape of
 * `availableSize`, and keeps its size while the picture loads. A checkerboard shows transparency.
 */
import { IconFile, IconFileText, IconMusic, IconPhoto, IconVideo } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import type { Kind } from '../../../../src/contract/paths/kinds.ts'
import { useFormat, useWords } from '../../language/language.tsx'
import { kindWords } from '../words.ts'
import { useContentSources } from './content.ts'
import classes from './file-preview.module.css'
import { SharperPicture } from './sharper-picture.tsx'

export const KIND_ICONS = {
  bilder: IconPhoto,
  video: IconVideo,
  audio: IconMusic,
  dokumente: IconFileText,
  sonstige: IconFile,
} as const satisfies Record<Kind, unknown>

export interface FilePreviewProps {
  file: {
    path: string
    vorschau: string | null
    art: Kind
    laenge?: number | undefined
    breite?: number | undefined
  }
  /** The side of the square frame in pixels; by default the available width. */
  size?: number
  /**
   * The available space in pixels, for a frame that is not a square. The preview fills it, unless the
   * original is much narrower (`MIN_ENLARGED_SHARE`) or its width is unknown.
   */
  availableSize?: { width: number; height: number }
  /** The address of a larger picture, for a preview that would look blurred. */
  sharperAddress?: string | undefined
  /** Omits the badge with kind or duration, for small previews in rows. */
  withoutBadge?: boolean
}

export function FilePreview({
  file,
  size,
  availableSize,
  sharperAddress,
  withoutBadge: plain = false,
}: FilePreviewProps) {
  const kindNames = useWords(kindWords)
  const format = useFormat()
  const { address, onError } = useRetriedAddress(useContentSources().addressOfPreview(file))
  const KindIcon = KIND_ICONS[file.art]
  return (
    <div
      className={classes.frame}
      style={size ? { width: size } : undefined}
      data-filled={
        (availableSize && (file.breite ?? 0) >= availableSize.width * MIN_ENLARGED_SHARE) || undefined
      }
      data-room={availableSize && true}
    >
      {address === null ? (
        <KindIcon className={classes.sign} stroke={1.25} aria-hidden />
      ) : (
        <img
          // The key gives a new address a new element: the old one would show the former picture until the
          // new picture has loaded.
          key={address}
          className={classes.picture}
          src={address}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          onError={onError}
        />
      )}
      {address !== null && sharperAddress !== undefined && (
        <SharperPicture key={sharperAddress} address={sharperAddress} />
      )}
      {!plain && file.art !== 'bilder' && (
        <span className={classes.badge}>
          <KindIcon size={12} aria-hidden />{' '}
          {file.laenge === undefined ? kindNames[file.art] : format.length(file.laenge)}
        </span>
      )}
    </div>
  )
}

/**
 * The preview is enlarged to fill `availableSize` if the width of the original is at least this share of the
 * available width.
 */
const MIN_ENLARGED_SHARE = 0.7

/**
 * Milliseconds before each retry of a preview that failed to load, for example because the service is
 * restarting.
 */
const RETRY_PAUSES_MS = [2_000, 8_000, 30_000]

/**
 * Returns the address to show (null if there is none), and a handler for errors of the picture. After an
 * error, the address is null until the next attempt, and stays null after the last attempt.
 */
function useRetriedAddress(address: string | null) {
  const [retryState, setRetryState] = useState({ address, failures: 0, isWaiting: false })
  const { failures, isWaiting } =
    retryState.address === address ? retryState : { failures: 0, isWaiting: false }
  useEffect(() => {
    const pauseMs = isWaiting ? RETRY_PAUSES_MS[failures - 1] : undefined
    if (pauseMs === undefined) return
    const timer = setTimeout(() => setRetryState(current => ({ ...current, isWaiting: false })), pauseMs)
    return () => clearTimeout(timer)
  }, [failures, isWaiting])
  return {
    address: isWaiting ? null : address,
    onError: () => setRetryState({ address, failures: failures + 1, isWaiting: true }),
  }
}
