/** A command with a button that copies it. */
import { Code, Group } from '@mantine/core'
import { useWords } from '../../../language/language.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { backupWords } from './words.ts'

export function CommandLine({ command }: { command: string }) {
  const w = useWords(backupWords)
  return (
    <Group gap="xs" wrap="nowrap">
      <Code block style={{ flex: 1, minWidth: 0, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {command}
      </Code>
      <CopyButton value={command} label={w.copyCommand} showsOnlyIcon />
    </Group>
  )
}
