# Functions of the backup scripts for encrypted backups. A file with recipients contains the public keys of those who may
# decrypt: recipients of age, one per line, or an exported OpenPGP key (gpg --export --armor). The database host needs
# only this file, so a stolen backup folder or database host does not reveal earlier backups.

# Prints the suffix of files that are encrypted for the recipients in the file $1.
encrypted_suffix() {
  if grep -q 'BEGIN PGP PUBLIC KEY' "$1"; then echo .gpg; else echo .age; fi
}

# Encrypts standard input to standard output for the recipients in the file $1.
encrypt() {
  if [ "$(encrypted_suffix "$1")" = .age ]; then
    age --encrypt --recipients-file "$1"
    return
  fi
  # gpg writes into its home folder, and the user may have none.
  gpg_home=$(mktemp -d)
  gpg --homedir "$gpg_home" --batch --quiet --trust-model always --compress-algo none --recipient-file "$1" --encrypt \
    && gpg_status=0 || gpg_status=$?
  rm -rf "$gpg_home"
  return "$gpg_status"
}

# Prints the decrypted content of the file $1. $2 is the file with the secret key of age or the home folder of gpg, which
# is ~/.gnupg by default.
decrypt() {
  case $1 in
    *.age) age --decrypt --identity "$2" "$1" ;;
    *.gpg) gpg ${2:+--homedir "$2"} --batch --quiet --decrypt "$1" ;;
  esac
}
