/** A picture that can be zoomed and moved. Its preview is shown until it has loaded. */
import { IconAspectRatio, IconMaximize, IconZoomIn, IconZoomOut } from '@tabler/icons-react'
import { type Ref, useImperativeHandle, useRef, useState } from 'react'
import type { FileAnswer } from '../files/types.ts'
import { useWords } from '../language/language.tsx'
import { nameOf } from '../state/paths.ts'
import { IconButton } from '../ui/buttons.tsx'
import { useContentSources } from '../ui/files/content.ts'
import { useZoom, type Zoom } from './use-zoom.ts'
import classes from './viewer.module.css'
import { words } from './words.ts'

/** What the viewer's keys can do with the picture. */
export type PictureKeys = Pick<Zoom, 'press'>

export interface PictureProps {
  file: FileAnswer
  keys: Ref<PictureKeys>
  onFail(): void
}

export function Picture({ file, keys, onFail }: PictureProps) {
  const stage = useRef<HTMLDivElement>(null)
  const picture = useRef<HTMLImageElement>(null)
  const sources = useContentSources()
  const [isThere, setThere] = useState(false)
  const zoom = useZoom(stage, picture)
  useImperativeHandle(keys, () => ({ press: zoom.press }))
  const preview = sources.preview(file)
  const { scale, x, y } = zoom.view
  return (
    <>
      <div ref={stage} className={classes.stage} data-zoomed={scale > 1 || undefined}>
        <img
          ref={picture}
          className={classes.picture}
          src={sources.file(file.path)}
          alt={nameOf(file.path)}
          draggable={false}
          style={{
            ...roomFor(file),
            transform: `translate(${x}px, ${y}px) scale(${scale})`,
            ...(!isThere && preview !== null && { background: `url("${preview}") center / 100% 100%` }),
          }}
          onLoad={() => {
            setThere(true)
            zoom.measure()
          }}
          onError={onFail}
        />
      </div>
      <ZoomTools {...zoom} />
    </>
  )
}

/** Reserves the space of a picture before it has loaded. */
function roomFor({ breite, hoehe }: FileAnswer) {
  if (breite === undefined || hoehe === undefined) return {}
  return {
    width: `min(100cqw, ${breite}px, calc(100cqh * ${breite / hoehe}))`,
    aspectRatio: `auto ${breite} / ${hoehe}`,
  }
}

function ZoomTools({ percent, larger, smaller, fit, original }: Zoom) {
  const w = useWords(words)
  return (
    <div className={classes.zoom}>
      <IconButton icon={IconZoomOut} label={w.smaller} size={36} onClick={smaller} />
      <span className={classes.percent} data-testid="zoom" role="status">
        {percent !== null && w.percent(percent)}
      </span>
      <IconButton icon={IconZoomIn} label={w.larger} size={36} onClick={larger} />
      <IconButton icon={IconMaximize} label={w.fit} size={36} onClick={fit} />
      <IconButton icon={IconAspectRatio} label={w.original} size={36} onClick={original} />
    </div>
  )
}
