/** The section that links to the page of files with equal content. */
import { IconCopyCheck } from '@tabler/icons-react'
import { useWords } from '../../language/language.tsx'
import { PAGES } from '../../state/addresses.ts'
import { LinkButton } from '../../ui/buttons.tsx'
import { TaskSection } from './task-section.tsx'
import { duplicatesWords } from './words.ts'

export function DuplicatesSection() {
  const w = useWords(duplicatesWords)
  return (
    <TaskSection
      icon={IconCopyCheck}
      title={w.title}
      description={w.description}
      action={<LinkButton icon={IconCopyCheck} label={w.look} href={PAGES.duplicates} variant="default" />}
    />
  )
}
