/** Errors of `migrate`. */
import { backupErrors } from './backup-trouble.ts'
import { bilingualParts } from './failure.ts'

export const migrateTrouble = backupErrors(null, {
  differs: (difference: string) =>
    bilingualParts(
      `Die Kopie stimmt nicht mit der Quelle überein (${difference}); am Ziel gilt noch, was vorher dort war. Bitte noch einmal versuchen.`,
      `The copy differs from the source (${difference}); the target still has its earlier state. Please try again.`,
    ),
})
