// Says what Go finds wrong with certificates of servers: a JSON list of cases comes in, a list of texts goes out. `../record-servers.ts` runs it.
package main

import (
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"os"
	"time"
)

type trial struct {
	Chain, Authorities, Name string
	NowMs                    int64
}

func main() {
	var trials []trial
	if err := json.NewDecoder(os.Stdin).Decode(&trials); err != nil {
		panic(err)
	}
	said := []string{}
	for _, one := range trials {
		said = append(said, judge(one))
	}
	if err := json.NewEncoder(os.Stdout).Encode(said); err != nil {
		panic(err)
	}
}

func judge(one trial) string {
	var shown []*x509.Certificate
	for rest := []byte(one.Chain); ; {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			break
		}
		certificate, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			panic(err)
		}
		shown = append(shown, certificate)
	}
	roots, between := x509.NewCertPool(), x509.NewCertPool()
	roots.AppendCertsFromPEM([]byte(one.Authorities))
	for _, certificate := range shown[1:] {
		between.AddCert(certificate)
	}
	options := x509.VerifyOptions{Roots: roots, Intermediates: between, DNSName: one.Name, CurrentTime: time.UnixMilli(one.NowMs)}
	if _, err := shown[0].Verify(options); err != nil {
		return err.Error()
	}
	return ""
}
