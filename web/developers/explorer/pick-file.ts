/** Asks the person for a file. */

/**
 * Browsers show the dialog only after a click or a key.
 * @param name what the file is for
 * @throws Error if the person closes the dialog without a file
 */
export const pickFile = (name: string): Promise<File> =>
  new Promise((resolve, reject) => {
    const input = document.createElement('input');
    input.type = 'file';
    const closed = () => {
      const file = input.files?.[0];
      if (file) resolve(file);
      else reject(new Error(`No file was chosen for $${name}. Run it again and choose one.`));
    };
    input.addEventListener('change', closed);
    input.addEventListener('cancel', closed);
    input.click();
  });
