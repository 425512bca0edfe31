/** Switches for the occasions on which the service sends a message to the webhook. */
import { Group, Stack, Switch } from '@mantine/core'
import { knownOccasions, OCCASIONS, type Occasion } from '../../../../../src/contract/service/occasions.ts'
import type { SettingsAnswer } from '../../../api/routes.ts'
import { useWords } from '../../../language/language.tsx'
import { SettingRow } from '../../../ui/forms/setting-row.tsx'
import { setDraft, useDrafts } from '../drafts.ts'
import classes from '../settings.module.css'
import { settingExplanations, settingWords } from '../words.ts'
import { ResetButton } from './reset-button.tsx'
import { occasionWords } from './words.ts'

const SETTING_NAME = 'WEBHOOK_ANLAESSE'

export function OccasionsField({ settings }: { settings: SettingsAnswer }) {
  const label = useWords(settingWords)[SETTING_NAME]
  const explanation = useWords(settingExplanations)[SETTING_NAME]
  const occasionNames = useWords(occasionWords)
  const activeOccasions = (useDrafts()[SETTING_NAME] ?? settings[SETTING_NAME].wert) as readonly Occasion[]
  const setOccasion = (occasion: Occasion, isOn: boolean) =>
    setDraft(
      SETTING_NAME,
      knownOccasions(
        isOn
          ? [...activeOccasions, occasion]
          : activeOccasions.filter(activeOccasion => activeOccasion !== occasion),
      ),
    )
  return (
    <SettingRow label={label} description={explanation} source={settings[SETTING_NAME].quelle}>
      <Group gap={4} wrap="nowrap" align="flex-start" justify="space-between">
        <Stack gap="sm" role="group" aria-label={label}>
          {OCCASIONS.map(occasion => (
            <Switch
              key={occasion}
              label={occasionNames[occasion]}
              checked={activeOccasions.includes(occasion)}
              onChange={event => setOccasion(occasion, event.currentTarget.checked)}
            />
          ))}
        </Stack>
        <div className={classes.corner}>
          <ResetButton name={SETTING_NAME} settings={settings} />
        </div>
      </Group>
    </SettingRow>
  )
}
