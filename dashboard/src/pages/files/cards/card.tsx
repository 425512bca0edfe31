/** A file as a card. It handles nothing itself: the gallery around it listens once for all of them (`use-card-events`). */
import { IconCheck, IconCopy, IconDots, IconExternalLink } from '@tabler/icons-react'
import { memo } from 'react'
import { useFormat, useWords } from '../../../language/language.tsx'
import { FilePreview } from '../../../parts/file-preview.tsx'
import { MiddleCut } from '../../../parts/middle-cut.tsx'
import { folderOf, nameOf } from '../paths.ts'
import type { FileAnswer } from '../types.ts'
import { actionWords, words } from '../words.ts'
import classes from './cards.module.css'

/** Where there is no mouse a long touch chooses; a draggable card would be dragged by it. */
export const MAY_DRAG = matchMedia('(hover: hover)').matches

export interface CardProps {
  file: FileAnswer
  /** Where a click with the middle button leads. */
  href: string
  selected: boolean
  /** The one that the Tab key reaches; also its buttons. */
  tabbable: boolean
  opened: boolean
  /** Hits of a search lie in many folders. */
  showFolder: boolean
}

export const Card = memo(function Card(props: CardProps) {
  const { file, href, selected, tabbable, opened, showFolder } = props
  const w = useWords(words)
  const format = useFormat()
  const name = nameOf(file.path)
  return (
    <li
      className={classes.card}
      data-file={file.id}
      data-selected={selected || undefined}
      data-opened={opened || undefined}
      draggable={MAY_DRAG}
    >
      <a href={href} className={classes.link} tabIndex={tabbable ? 0 : -1} draggable={false}>
        <FilePreview file={file} />
        <span className={classes.name}>
          <CutName>{name}</CutName>
        </span>
        <span className={classes.sub}>
          {showFolder ? `${folderOf(file.path) || '/'} · ` : ''}
          {format.bytes(file.size)}
        </span>
      </a>
      <input
        type="checkbox"
        className={classes.check}
        checked={selected}
        readOnly
        tabIndex={tabbable ? 0 : -1}
        aria-label={w.select(name)}
      />
      <CardButtons name={name} url={file.url} tabbable={tabbable} className={classes.actions} />
    </li>
  )
})

/** To be seen with its middle cut out, to be heard in one piece. */
export function CutName({ children: name }: { children: string }) {
  return (
    <>
      <span className={classes.said}>{name}</span>
      <span aria-hidden>
        <MiddleCut>{name}</MiddleCut>
      </span>
    </>
  )
}

interface CardButtonsProps {
  name: string
  url: string
  tabbable: boolean
  className: string | undefined
}

/** Shown when pointed at or focused. */
export function CardButtons({ name, url, tabbable, className }: CardButtonsProps) {
  const a = useWords(actionWords)
  const tabIndex = tabbable ? 0 : -1
  return (
    <span className={className}>
      <button
        type="button"
        data-action="copy"
        tabIndex={tabIndex}
        title={a.copyAddress}
        aria-label={a.copyAddress}
      >
        <IconCopy size={16} aria-hidden data-before />
        <IconCheck size={16} aria-hidden data-after />
      </button>
      <a
        href={url}
        target="_blank"
        rel="noreferrer"
        data-action="leave"
        tabIndex={tabIndex}
        title={a.openAddress}
        aria-label={a.openAddress}
        draggable={false}
      >
        <IconExternalLink size={16} aria-hidden />
      </a>
      <button
        type="button"
        data-action="more"
        tabIndex={tabIndex}
        title={a.more}
        aria-label={a.moreOf(name)}
        aria-haspopup="menu"
      >
        <IconDots size={16} aria-hidden />
      </button>
    </span>
  )
}
