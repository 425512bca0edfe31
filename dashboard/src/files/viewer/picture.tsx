/**
 * A picture that can be zoomed, moved and turned. Its preview, if there is one, is shown until the picture
 * has loaded.
 */
import {
  IconAspectRatio,
  IconMaximize,
  IconRotateClockwise,
  IconZoomIn,
  IconZoomOut,
} from '@tabler/icons-react'
import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { mediaTypeEssence } from '../../../../src/contract/paths/kinds.ts'
import { useWords } from '../../language/language.tsx'
import { nameOf } from '../../state/paths.ts'
import { IconButton } from '../../ui/buttons.tsx'
import { useContentSources } from '../../ui/files/content.ts'
import type { FileAnswer } from '../types.ts'
import type { ContentKeyHandler } from './content-props.ts'
import { StageNote } from './note.tsx'
import { useSmallerAddress } from './smaller-size.ts'
import { useVectorView } from './svg.ts'
import { useZoom, type Zoom } from './use-zoom.ts'
import classes from './viewer.module.css'
import { words } from './words.ts'

export interface PictureProps {
  file: FileAnswer
  address: string | undefined
  keyHandlerRef: Ref<ContentKeyHandler>
  onFail(): void
}

export function Picture({ file, address, keyHandlerRef, onFail }: PictureProps) {
  const w = useWords(words)
  const stage = useRef<HTMLDivElement>(null)
  const picture = useRef<HTMLImageElement>(null)
  const previewAddress = useContentSources().addressOfPreview(file)
  const { address: originalAddress, fillsStage } = useVectorView(file, address)
  const [isLoaded, setLoaded] = useState(false)
  const [naturalSize, setNaturalSize] = useState<Size | null>(null)
  // Only the view is turned: turning the file itself would change its bytes and what other people see.
  const [quarterTurns, setQuarterTurns] = useState(0)
  const size = sizeOf(file) ?? naturalSize
  const isSideways = quarterTurns % 2 === 1
  const zoom = useZoom(stage, picture, { size, isSideways })
  const rotate = () => {
    setQuarterTurns(current => (current + 1) % 4)
    zoom.fit()
  }
  useImperativeHandle(keyHandlerRef, () => ({
    handleKey(key) {
      if (key !== 'shift+r') return zoom.handleKey(key)
      rotate()
      return true
    },
  }))
  const { scale, x, y } = zoom.view
  const smallerAddress = useSmallerAddress()(file)
  const [showsOriginal, setShowsOriginal] = useState(smallerAddress === undefined)
  const isEnlarged = scale > 1
  // When the user enlarges the picture, the original is loaded in place of the smaller size, and stays.
  useEffect(() => {
    if (isEnlarged) setShowsOriginal(true)
  }, [isEnlarged])
  const isTruncated = useIsTruncated(file, isLoaded && showsOriginal ? originalAddress : undefined)
  return (
    <>
      <div ref={stage} className={classes.stage} data-zoomed={isEnlarged || undefined}>
        <img
          ref={picture}
          className={classes.picture}
          src={showsOriginal ? originalAddress : smallerAddress}
          alt={nameOf(file.path)}
          draggable={false}
          style={{
            ...reservedSize(size, { fillsStage, isSideways }),
            transform: `translate(-50%, -50%) translate(${x}px, ${y}px) scale(${scale}) rotate(${quarterTurns * 90}deg)`,
            ...(!isLoaded &&
              previewAddress !== null && { background: `url("${previewAddress}") center / 100% 100%` }),
          }}
          onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => {
            setLoaded(true)
            setNaturalSize({ width, height })
            zoom.measure()
          }}
          onError={() => (showsOriginal ? onFail() : setShowsOriginal(true))}
        />
      </div>
      {isTruncated && <StageNote>{w.damagedInPart}</StageNote>}
      <ZoomTools {...zoom} onRotate={rotate} />
    </>
  )
}

export interface Size {
  width: number
  height: number
}

const sizeOf = ({ breite, hoehe }: FileAnswer): Size | null =>
  breite === undefined || hoehe === undefined ? null : { width: breite, height: hoehe }

/**
 * The CSS size of the picture element, which reserves the space of the picture before it has loaded. It is at
 * most the original size, unless the picture fills the stage.
 */
function reservedSize(
  size: Size | null,
  { fillsStage, isSideways }: { fillsStage: boolean; isSideways: boolean },
) {
  if (!size) return { maxWidth: '100cqw', maxHeight: '100cqh' }
  const { width, height } = size
  const [availableWidth, availableHeight] = isSideways ? ['100cqh', '100cqw'] : ['100cqw', '100cqh']
  const maxWidths = fillsStage ? [] : [`${width}px`]
  return {
    width: `min(${[availableWidth, ...maxWidths, `calc(${availableHeight} * ${width / height})`].join(', ')})`,
    aspectRatio: `auto ${width} / ${height}`,
  }
}

/**
 * Whether the file of a picture ends too early: browsers then show the beginning of the picture and report no
 * error. The check loads and decodes the picture once more, so it runs only for a picture without a preview,
 * which is more likely to be damaged. An SVG is not checked.
 */
function useIsTruncated({ vorschau, mime }: FileAnswer, source: string | undefined): boolean {
  const [truncatedSource, setTruncatedSource] = useState<string | null>(null)
  const suspectSource = vorschau === null && mediaTypeEssence(mime) !== 'image/svg+xml' ? source : undefined
  useEffect(() => {
    if (suspectSource === undefined) return
    const abortController = new AbortController()
    fetch(suspectSource, { signal: abortController.signal })
      .then(response => (response.ok ? response.blob() : null))
      .then(blob => blob && canDecode(blob))
      .then(
        isWhole => isWhole === false && setTruncatedSource(suspectSource),
        () => {},
      )
    return () => abortController.abort()
  }, [suspectSource])
  return truncatedSource !== null && truncatedSource === suspectSource
}

const canDecode = (blob: Blob) =>
  createImageBitmap(blob).then(
    bitmap => {
      bitmap.close()
      return true
    },
    () => false,
  )

function ZoomTools({
  percent,
  zoomIn,
  zoomOut,
  fit,
  showOriginalSize,
  onRotate,
}: Zoom & { onRotate(): void }) {
  const w = useWords(words)
  return (
    <div className={classes.zoom}>
      <IconButton icon={IconZoomOut} label={w.smaller} size={36} onClick={zoomOut} />
      <span className={classes.percent} data-testid="zoom" role="status">
        {percent !== null && w.percent(percent)}
      </span>
      <IconButton icon={IconZoomIn} label={w.larger} size={36} onClick={zoomIn} />
      <IconButton icon={IconMaximize} label={w.fit} size={36} onClick={fit} />
      <IconButton icon={IconAspectRatio} label={w.original} size={36} onClick={showOriginalSize} />
      <IconButton icon={IconRotateClockwise} label={w.turn} size={36} onClick={onRotate} />
    </div>
  )
}
