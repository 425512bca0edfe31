/**
 * The list of damaged, missing and unreadable files, which tells what is wrong with each file and since when.
 * Above the list there is advice on what to do.
 */

import { Anchor, Badge, Group, Stack, Text } from '@mantine/core'
import { Link } from 'wouter'
import type { IntegrityAnswer } from '../../../../src/contract/service/maintenance.ts'
import { useTexts } from '../../language/language.tsx'
import { useServiceText } from '../../language/service-text.ts'
import { PAGES } from '../../state/addresses.ts'
import { DimmedText } from '../../ui/dimmed-text.tsx'
import { MiddleTruncatedText } from '../../ui/files/middle-truncated-text.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { FileLink } from './file-link.tsx'
import classes from './upkeep.module.css'
import { integrityWords } from './words.ts'

export function Findings({ answer: { befunde, weitere } }: { answer: IntegrityAnswer }) {
  const { w, format } = useTexts(integrityWords)
  const translate = useServiceText()
  return (
    <Stack gap="xs" mt="xs">
      <Text size="sm">{w.whatToDo}</Text>
      <ul className={classes.findings} aria-label={w.list}>
        {befunde.map(({ pfad, grund, code, seit, papierkorb }) => (
          <li key={`${pfad} ${papierkorb} ${seit}`}>
            <Group justify="space-between" gap="xs" wrap="nowrap">
              <Text size="sm" component="div" style={{ minWidth: 0 }}>
                {papierkorb ? (
                  <Anchor component={Link} href={PAGES.trash} inherit>
                    <MiddleTruncatedText>{pfad}</MiddleTruncatedText>
                  </Anchor>
                ) : (
                  <FileLink path={pfad} />
                )}
              </Text>
              <Group gap="xs" wrap="nowrap" style={{ flex: 'none' }}>
                {papierkorb && <Badge>{w.inTrash}</Badge>}
                <DimmedText>
                  <RelativeTime timestamp={seit} />
                </DimmedText>
              </Group>
            </Group>
            <DimmedText>{translate(grund, code)}</DimmedText>
          </li>
        ))}
      </ul>
      {weitere > 0 && <Text size="sm">{w.more(format.number(weitere))}</Text>}
    </Stack>
  )
}
