/** Warnings of the service in the present language: German as it says them, English by their code. */
import { WARNING_CODES, type WarningCode, warningCalled } from '../../../src/contract/warnings.ts'
import { useLanguage } from './language.tsx'

const ENGLISH: Readonly<Record<WarningCode, string>> = {
  'target-foreign':
    'The target of the backup is a Windows path, which this machine does not have: every backup fails.',
  'target-unset':
    'SICHERUNG_ZIEL is not set; with PostgreSQL and an object store every backup fails without a target.',
  'second-target-foreign':
    'The second target is a Windows path, which this machine does not have: every backup fails.',
  'files-host-elsewhere':
    'The public address names another host than the one that files are at: every address that is handed out answers 404.',
  'backup-beside-files': 'The backup is on the same disk as the files, and no second target is set.',
  'targets-on-one-disk': 'Target and second target are on the same disk.',
  'target-disks-unknown': 'Whether target and second target are on the same disk is unknown.',
}

const isKnown = (code: string | undefined): code is WarningCode => WARNING_CODES.some(known => known === code)

/** A report gives sentences without their code. What this version does not know is shown as the service says it. */
export function useWarningText(): (sentence: string, code?: string) => string {
  const { language } = useLanguage()
  return (sentence, code = warningCalled(sentence)) =>
    language === 'en' && isKnown(code) ? ENGLISH[code] : sentence
}
