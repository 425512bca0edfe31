/** A section of the settings page, which links can address by its anchor. */
import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useWords } from '../../language/language.tsx'
import { Panel } from '../../ui/lists/panel.tsx'
import { type SectionName as Name, SECTION_ANCHORS } from './groups.ts'
import classes from './settings.module.css'
import { words } from './words.ts'

export function Section({ name, children }: { name: Name; children: ReactNode }) {
  const w = useWords(words)
  const id = SECTION_ANCHORS[name]
  return (
    <section id={id} aria-labelledby={`${id}-title`} className={classes.section}>
      <Title order={2} mb="xs" id={`${id}-title`}>
        {w[name]}
      </Title>
      <Panel py={0}>{children}</Panel>
    </section>
  )
}

/** Links to all sections, in the order of the page. */
export function SectionList() {
  const w = useWords(words)
  const names = Object.keys(SECTION_ANCHORS) as Name[]
  return (
    <nav aria-label={w.sections} className={classes.sections}>
      {names.map(name => (
        <a key={name} href={`#${SECTION_ANCHORS[name]}`}>
          {w[name]}
        </a>
      ))}
    </nav>
  )
}
