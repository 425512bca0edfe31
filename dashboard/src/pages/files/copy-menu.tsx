/** „Adresse kopieren“, and beside it the other forms. */
import { ActionIcon, Group, Menu } from '@mantine/core'
import { IconChevronDown, IconCopy } from '@tabler/icons-react'
import { useWords } from '../../language/language.tsx'
import { SignButton } from '../../parts/buttons.tsx'
import { COPY_FORMS, type CopyForm } from './copy-forms.ts'
import type { FileAnswer } from './types.ts'
import { useCopy } from './use-copy.ts'
import { actionWords } from './words.ts'

export function CopyMenu({ files }: { files: readonly FileAnswer[] }) {
  const w = useWords(actionWords)
  const copy = useCopy()
  const label = files.length === 1 ? w.copyAddress : w.copyAddresses
  return (
    <Group gap={1} wrap="nowrap">
      <SignButton
        icon={IconCopy}
        label={label}
        style={{ borderTopRightRadius: 0, borderBottomRightRadius: 0 }}
        onClick={() => void copy(files)}
      />
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon
            size={36}
            aria-label={w.copyAs}
            style={{ borderTopLeftRadius: 0, borderBottomLeftRadius: 0 }}
          >
            <IconChevronDown size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <CopyItems onCopy={form => void copy(files, form)} />
        </Menu.Dropdown>
      </Menu>
    </Group>
  )
}

export function CopyItems({ onCopy }: { onCopy(form: CopyForm): void }) {
  const w = useWords(actionWords)
  return COPY_FORMS.map(form => (
    <Menu.Item key={form} onClick={() => onCopy(form)}>
      {w[form]}
    </Menu.Item>
  ))
}
