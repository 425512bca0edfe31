/** The section of the settings for exporting and importing them as a file. */
import { Checkbox, FileButton, Stack, Text } from '@mantine/core'
import { IconDownload, IconUpload } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { addressOf } from '../../../api/client.ts'
import type { SettingsAnswer } from '../../../api/routes.ts'
import { useLanguage, useWords } from '../../../language/language.tsx'
import { LinkButton, SignButton } from '../../../ui/buttons.tsx'
import { SettingRow } from '../../../ui/forms/setting-row.tsx'
import { Warning } from '../../../ui/warning.tsx'
import { loadRules } from '../rules.ts'
import { Section } from '../section.tsx'
import { type ChosenImport, ImportDialog } from './import-dialog.tsx'
import { planImport, readExport } from './plan.ts'
import { words } from './words.ts'

export function TransferSection({ settings }: { settings: SettingsAnswer }) {
  return (
    <Section name="transfer">
      <ExportRow />
      <ImportRow settings={settings} />
    </Section>
  )
}

function ExportRow() {
  const w = useWords(words)
  const [secrets, setSecrets] = useState(false)
  return (
    <SettingRow label={w.export} description={w.exportHint}>
      <Stack gap="sm" align="flex-start">
        <Checkbox
          label={w.secrets}
          checked={secrets}
          onChange={event => setSecrets(event.currentTarget.checked)}
        />
        {secrets && <Warning>{w.secretsWarning}</Warning>}
        <LinkButton
          icon={IconDownload}
          label={w.download}
          href={addressOf('einstellungen/export', { geheim: secrets ? '1' : null })}
          download
        />
      </Stack>
    </SettingRow>
  )
}

function ImportRow({ settings }: { settings: SettingsAnswer }) {
  const w = useWords(words)
  const { language } = useLanguage()
  const again = useRef<() => void>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [chosen, setChosen] = useState<ChosenImport | null>(null)
  const [asked, setAsked] = useState(false)
  const look = async (file: File | null) => {
    // Resets the file input, so that the same file can be chosen again after a correction.
    again.current?.()
    if (!file) return
    const given = readExport(await file.text())
    setProblem(given ? null : w.unreadable(file.name))
    if (!given) return
    setChosen({
      name: file.name,
      given,
      ...planImport(given, settings, await loadRules(), language),
    })
    setAsked(true)
  }
  return (
    <SettingRow label={w.import} description={w.importHint}>
      <Stack gap="sm" align="flex-start">
        <FileButton accept="application/json,.json" resetRef={again} onChange={file => void look(file)}>
          {props => <SignButton icon={IconUpload} label={w.choose} {...props} variant="default" />}
        </FileButton>
        {problem && (
          <Text role="alert" size="sm" c="var(--mantine-color-error)">
            {problem}
          </Text>
        )}
      </Stack>
      {chosen && <ImportDialog chosen={chosen} opened={asked} onClose={() => setAsked(false)} />}
    </SettingRow>
  )
}
