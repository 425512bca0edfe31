/** The field for the sizes in which pictures can be requested by address. */
import { NativeSelect, Stack, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { FIT_MODES, SIZE_FORMATS } from '../../../../../src/contract/files/picture-geometry.ts'
import type { PictureSize } from '../../../../../src/contract/files/picture-sizes.ts'
import { PICTURE_SIZES_MAX } from '../../../../../src/contract/values/input-limits.ts'
import type { SettingsAnswer } from '../../../api/routes.ts'
import { useWords } from '../../../language/language.tsx'
import { ButtonWithIcon, IconButton } from '../../../ui/buttons.tsx'
import { DimmedText } from '../../../ui/dimmed-text.tsx'
import { SettingRow } from '../../../ui/forms/setting-row.tsx'
import { type SizeDraft, setDraft, useDrafts } from '../drafts.ts'
import classes from '../settings.module.css'
import { settingExplanations, settingWords } from '../words.ts'
import { ResetButton } from './reset-button.tsx'
import { sizeWords } from './words.ts'

const SETTING_NAME = 'BILDGROESSEN'
const NEW_SIZE: PictureSize = { name: '', breite: 640, hoehe: 640, art: 'einpassen', format: 'auto' }

export interface SizesFieldProps {
  settings: SettingsAnswer
  problem: string | null
}

export function SizesField({ settings, problem }: SizesFieldProps) {
  const w = useWords(sizeWords)
  const label = useWords(settingWords)[SETTING_NAME]
  const sizes = (useDrafts()[SETTING_NAME] ?? settings[SETTING_NAME].wert) as readonly SizeDraft[]
  const setSizes = (changedSizes: readonly SizeDraft[]) => setDraft(SETTING_NAME, changedSizes)
  return (
    <SettingRow
      label={label}
      description={useWords(settingExplanations)[SETTING_NAME]}
      source={settings[SETTING_NAME].quelle}
    >
      <Stack gap="sm" align="stretch">
        {sizes.length > 0 && (
          <ol className={classes.rules} aria-label={label}>
            {[...sizes.keys()].map(index => (
              <li key={index} aria-label={w.size(index + 1)} className={`${classes.rule} ${classes.size}`}>
                <SizeFields
                  size={sizes[index]!}
                  onChange={change => setSizes(sizes.with(index, { ...sizes[index], ...change }))}
                />
                <IconButton
                  icon={IconTrash}
                  label={w.remove(sizes[index]!.name || String(index + 1))}
                  onClick={() => setSizes(sizes.toSpliced(index, 1))}
                />
              </li>
            ))}
          </ol>
        )}
        {problem && (
          <DimmedText c="var(--mantine-color-error)" role="status">
            {problem}
          </DimmedText>
        )}
        <div className={classes.sizeActions}>
          <ButtonWithIcon
            icon={IconPlus}
            label={w.add}
            variant="default"
            disabled={sizes.length >= PICTURE_SIZES_MAX}
            onClick={() => setSizes([...sizes, NEW_SIZE])}
          />
          <ResetButton name={SETTING_NAME} settings={settings} />
        </div>
      </Stack>
    </SettingRow>
  )
}

interface SizeFieldsProps {
  size: SizeDraft
  onChange(change: SizeDraft): void
}

function SizeFields({ size, onChange }: SizeFieldsProps) {
  const w = useWords(sizeWords)
  return (
    <>
      <TextInput
        label={w.name}
        value={size.name ?? ''}
        autoComplete="off"
        spellCheck={false}
        onChange={event => onChange({ name: event.currentTarget.value })}
      />
      {(['breite', 'hoehe'] as const).map(edge => (
        <TextInput
          key={edge}
          label={w[edge]}
          value={size[edge] ?? ''}
          placeholder={w.anyLength}
          inputMode="numeric"
          autoComplete="off"
          onChange={event => onChange({ [edge]: parsePixels(event.currentTarget.value) })}
        />
      ))}
      <NativeSelect
        label={w.fit}
        value={size.art ?? NEW_SIZE.art}
        data={FIT_MODES.map(value => ({ value, label: w[value] }))}
        onChange={event => onChange({ art: event.currentTarget.value as PictureSize['art'] })}
      />
      <NativeSelect
        label={w.format}
        value={size.format ?? NEW_SIZE.format}
        data={SIZE_FORMATS.map(value => ({ value, label: w[value] }))}
        onChange={event => onChange({ format: event.currentTarget.value as PictureSize['format'] })}
      />
    </>
  )
}

/**
 * The digits of the typed text (five at most) as a length in pixels. Null, which means any length, if the
 * text has no digits.
 */
function parsePixels(typedText: string): number | null {
  const digits = typedText.replace(/[^0-9]/g, '').slice(0, 5)
  return digits === '' ? null : Number(digits)
}
