/** Shows new emergency codes, with buttons to copy, save and print them. They are not shown again. */
import { Button, Checkbox, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { IconDownload, IconPrinter } from '@tabler/icons-react'
import { useState } from 'react'
import { useWords } from '../../../language/language.tsx'
import { useObservable } from '../../../state/observable.ts'
import { sessionOwner } from '../../../state/session.ts'
import { ButtonWithIcon } from '../../../ui/buttons.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { words } from './words.ts'

export function EmergencyCodes({ codes, onDone }: { codes: readonly string[]; onDone(): void }) {
  const w = useWords(words)
  const accountName = useObservable(sessionOwner) ?? ''
  const [areCodesKept, setCodesKept] = useState(false)
  const heading = w.codesHeading(accountName, location.host)
  const codesText = `${heading}\n\n${codes.join('\n')}\n`
  return (
    <Stack gap="md">
      <div>
        <Title order={3}>{w.codesTitle}</Title>
        <Text mt={4}>{w.codesHint}</Text>
      </div>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={8} component="ul" aria-label={w.codesTitle} p={0} m={0}>
        {codes.map(code => (
          <Text key={code} component="li" ff="monospace" style={{ listStyle: 'none' }}>
            {code}
          </Text>
        ))}
      </SimpleGrid>
      <Group gap="xs">
        <CopyButton value={codesText} label={w.copyCodes} />
        <ButtonWithIcon
          icon={IconDownload}
          label={w.saveCodes}
          variant="default"
          onClick={() => saveAsFile(w.codesFile, codesText)}
        />
        <ButtonWithIcon
          icon={IconPrinter}
          label={w.printCodes}
          variant="default"
          onClick={() => printCodes(heading, codes)}
        />
      </Group>
      <Checkbox
        label={w.kept}
        checked={areCodesKept}
        onChange={event => setCodesKept(event.currentTarget.checked)}
      />
      <Button disabled={!areCodesKept} onClick={onDone}>
        {w.done}
      </Button>
    </Stack>
  )
}

function saveAsFile(name: string, text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

/** Prints the heading and the codes without the rest of the page, from a hidden frame. */
function printCodes(heading: string, codes: readonly string[]): void {
  const frame = document.createElement('iframe')
  frame.style.position = 'fixed'
  frame.style.visibility = 'hidden'
  document.body.append(frame)
  const frameDocument = frame.contentDocument!
  const appendLine = (tag: string, text: string) => {
    frameDocument.body.append(Object.assign(frameDocument.createElement(tag), { textContent: text }))
  }
  appendLine('h1', heading)
  for (const code of codes) appendLine('p', code)
  frame.contentWindow!.addEventListener('afterprint', () => frame.remove())
  frame.contentWindow!.print()
}
