/** A file as large as the window allows, behind the space key: a quick look without leaving the list. */
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import type { KeyboardEvent } from 'react'
import { useWords } from '../../language/language.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { nameOf } from '../../parts/paths.ts'
import classes from './drawer/drawer.module.css'
import { Step } from './drawer/drawer.tsx'
import { Media } from './drawer/media.tsx'
import type { FileAnswer } from './types.ts'
import { drawerWords } from './words.ts'

export interface LightboxProps {
  file: FileAnswer
  files: readonly FileAnswer[]
  onShow(file: FileAnswer): void
  onClose(): void
}

export function Lightbox({ file, files, onShow, onClose }: LightboxProps) {
  const w = useWords(drawerWords)
  const at = files.findIndex(({ id }) => id === file.id)
  const previous = at > 0 ? files[at - 1] : undefined
  const next = at >= 0 ? files[at + 1] : undefined

  const press = (event: KeyboardEvent) => {
    const target = event.target as Element
    // A player has its own use for space and arrows.
    if (target.closest('video, audio')) return
    if (event.key === ' ' && !target.closest('button')) onClose()
    else if (event.key === 'ArrowLeft' && previous) onShow(previous)
    else if (event.key === 'ArrowRight' && next) onShow(next)
    else return
    event.preventDefault()
  }
  return (
    <Dialog opened fullScreen onClose={onClose} title={nameOf(file.path)} onKeyDown={press}>
      <div className={classes.lightbox}>
        <Step
          size="xl"
          signSize={28}
          label={w.previous}
          icon={IconChevronLeft}
          file={previous}
          onShow={onShow}
        />
        <div className={classes.large}>
          <Media file={file} large />
        </div>
        <Step size="xl" signSize={28} label={w.next} icon={IconChevronRight} file={next} onShow={onShow} />
      </div>
    </Dialog>
  )
}
