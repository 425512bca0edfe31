/** The section of the settings for exporting and importing them as a file. */
import { Checkbox, FileButton, Stack, Text } from '@mantine/core'
import { IconDownload, IconUpload } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { addressOf } from '../../../api/client.ts'
import type { SettingsAnswer } from '../../../api/routes.ts'
import { useLanguage, useWords } from '../../../language/language.tsx'
import { ButtonWithIcon, LinkButton } from '../../../ui/buttons.tsx'
import { SettingRow } from '../../../ui/forms/setting-row.tsx'
import { Warning } from '../../../ui/warning.tsx'
import { loadSettingRules } from '../rules.ts'
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
  const [includesSecrets, setIncludesSecrets] = useState(false)
  return (
    <SettingRow label={w.export} description={w.exportHint}>
      <Stack gap="sm" align="flex-start">
        <Checkbox
          label={w.secrets}
          checked={includesSecrets}
          onChange={event => setIncludesSecrets(event.currentTarget.checked)}
        />
        {includesSecrets && <Warning>{w.secretsWarning}</Warning>}
        <LinkButton
          icon={IconDownload}
          label={w.download}
          href={addressOf('einstellungen/export', { geheim: includesSecrets ? '1' : null })}
          download
        />
      </Stack>
    </SettingRow>
  )
}

function ImportRow({ settings }: { settings: SettingsAnswer }) {
  const w = useWords(words)
  const { language } = useLanguage()
  const resetFileInput = useRef<() => void>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [chosenImport, setChosenImport] = useState<ChosenImport | null>(null)
  const [isDialogOpen, setDialogOpen] = useState(false)
  const previewFile = async (file: File | null) => {
    // Resets the file input, so that the same file can be chosen again after a correction.
    resetFileInput.current?.()
    if (!file) return
    const content = readExport(await file.text())
    setProblem(content ? null : w.unreadable(file.name))
    if (!content) return
    setChosenImport({
      name: file.name,
      content,
      ...planImport(content, settings, await loadSettingRules(), language),
    })
    setDialogOpen(true)
  }
  return (
    <SettingRow label={w.import} description={w.importHint}>
      <Stack gap="sm" align="flex-start">
        <FileButton
          accept="application/json,.json"
          resetRef={resetFileInput}
          onChange={file => void previewFile(file)}
        >
          {props => <ButtonWithIcon icon={IconUpload} label={w.choose} {...props} variant="default" />}
        </FileButton>
        {problem && (
          <Text role="alert" size="sm" c="var(--mantine-color-error)">
            {problem}
          </Text>
        )}
      </Stack>
      {chosenImport && (
        <ImportDialog
          chosenImport={chosenImport}
          opened={isDialogOpen}
          onClose={() => setDialogOpen(false)}
        />
      )}
    </SettingRow>
  )
}
