/** changed.mjs OUT HERE: changes the copied modules in OUT so that their tests' servers are started elsewhere. Fails where a place is not found. */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const [out, here] = process.argv.slice(2);
const helper = readFileSync(join(here, 'external.go.txt'), 'utf8');

function change(file, name, place, text) {
  const path = join(out, file);
  const source = readFileSync(path, 'utf8');
  if (source.split(place).length !== 2) throw new Error(`${file}: the place is not there, or not once`);
  writeFileSync(path, source.replace(place, () => `${text}${place}`));
  writeFileSync(join(dirname(path), 'external.go'), helper.replace('PACKAGE', name));
}

const started = (made) => `	if os.Getenv("WAVETANK_SERVER") != "" {
		config, stop, startErr := startElsewhere(customFlags)
		result.ClientConfig, result.TearDownFn, result.ServerOpts = config, stop, ${made}
		return result, startErr
	}
`;

change(
  'apiextensions/pkg/cmd/server/testing/testserver.go',
  'testing',
  '	// TODO: this is a candidate for using what is now test/utils/ktesting,',
  started('options.NewCustomResourceDefinitionsServerOptions(os.Stdout, os.Stderr)'),
);
change(
  'kubernetes/cmd/kube-apiserver/app/testing/testserver.go',
  'testing',
  '	// Some callers may have initialize ktesting already.',
  started('options.NewServerRunOptions()'),
);
change(
  'kubernetes/test/integration/framework/test_server.go',
  'framework',
  '	// If the local ComponentGlobalsRegistry is changed by ModifyServerRunOptions,',
  `	keys := saSigningKeyFile.Name()
	flags := []string{
		"--authorization-mode=" + strings.Join(opts.Authorization.Modes, ","),
		"--api-audiences=https://foo.bar.example.com",
		"--service-account-issuer=https://foo.bar.example.com",
		"--service-account-key-file=" + keys, "--service-account-signing-key-file=" + keys,
		"--disable-admission-plugins=" + strings.Join(opts.Admission.GenericAdmission.DisablePlugins, ","),
		"--enable-admission-plugins=" + strings.Join(opts.Admission.GenericAdmission.EnablePlugins, ","),
	}
	if opts.Admission.GenericAdmission.ConfigFile != "" {
		flags = append(flags, "--admission-control-config-file="+opts.Admission.GenericAdmission.ConfigFile)
	}
	if len(opts.APIEnablement.RuntimeConfig) > 0 {
		flags = append(flags, "--runtime-config="+opts.APIEnablement.RuntimeConfig.String())
	}
	if os.Getenv("WAVETANK_SERVER") != "" {
		config, stop, startErr := startElsewhere(flags)
		if startErr != nil {
			t.Fatal(startErr)
		}
		listener.Close()
		return client.NewForConfigOrDie(config), config, stop
	}
`,
);
