/** A section of the page, with a heading to which links can lead. */
import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useWords } from '../../language/language.tsx'
import { Panel } from '../../ui/lists/panel.tsx'
import { ANCHORS, type Section as Name } from './groups.ts'
import classes from './settings.module.css'
import { words } from './words.ts'

export function Section({ name, children }: { name: Name; children: ReactNode }) {
  const w = useWords(words)
  const id = ANCHORS[name]
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
  const names = Object.keys(ANCHORS) as Name[]
  return (
    <nav aria-label={w.sections} className={classes.sections}>
      {names.map(name => (
        <a key={name} href={`#${ANCHORS[name]}`}>
          {w[name]}
        </a>
      ))}
    </nav>
  )
}
