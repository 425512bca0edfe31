/** The files as cards. */
import { useWords } from '../../../language/language.tsx'
import type { FileAnswer } from '../types.ts'
import { words } from '../words.ts'
import { Card } from './card.tsx'
import classes from './cards.module.css'

export interface FilesProps {
  files: readonly FileAnswer[]
  hrefOf(file: FileAnswer): string
  isSelected(id: string): boolean
  tabbable: string | null
  opened: string
  showFolder: boolean
  turning: boolean
}

export function FileGrid({ files, hrefOf, isSelected, tabbable, opened, showFolder, turning }: FilesProps) {
  const w = useWords(words)
  return (
    <ul className={classes.files} aria-label={w.title} data-turning={turning || undefined}>
      {files.map(file => (
        <Card
          key={file.id}
          file={file}
          href={hrefOf(file)}
          selected={isSelected(file.id)}
          tabbable={file.id === tabbable}
          opened={file.path === opened}
          showFolder={showFolder}
        />
      ))}
    </ul>
  )
}
