/**
 * The layout of one setting: name and explanation at the left, field at the right; on a phone one above the
 * other.
 */
import { Badge, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { SettingSource } from '../../../../src/contract/service/settings-wire.ts'
import { useWords } from '../../language/language.tsx'
import { DimmedText } from '../dimmed-text.tsx'
import { words } from '../words.ts'
import classes from './setting-row.module.css'

export interface SettingRowProps {
  label: string
  description?: ReactNode
  /** Where the current value comes from: saved, environment or default. Shown as a badge. */
  source?: SettingSource
  /** The id of the field that gets the focus when the label is clicked. */
  htmlFor?: string
  children: ReactNode
}

export function SettingRow({ label, description, source, htmlFor, children }: SettingRowProps) {
  const w = useWords(words)
  const sourceNames = { gespeichert: w.sourceSaved, umgebung: w.sourceEnvironment, vorgabe: w.sourceDefault }
  return (
    <div className={classes.row}>
      <div>
        <Group gap="xs">
          <Text component="label" fw={500} {...(htmlFor && { htmlFor })}>
            {label}
          </Text>
          {source && <Badge>{sourceNames[source]}</Badge>}
        </Group>
        {description && <DimmedText>{description}</DimmedText>}
      </div>
      <div>{children}</div>
    </div>
  )
}
